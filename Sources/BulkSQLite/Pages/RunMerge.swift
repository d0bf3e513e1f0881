/// Merges sorted runs of entries, of which it holds a block each.
struct RunMerge: ~Copyable {
  /// The most runs that are merged at once.
  static let most = 64
  /// The bytes of a run that are read at once.
  private static let blockSize = 1 << 13

  /// A run that is being read.
  private final class Reader {
    let entry: UnsafeMutablePointer<UInt64>
    private let width: Int
    private let file: RunFile
    private var offset: Int64
    private var bytesLeft: Int64
    private var entriesLeft: Int
    private let block: UnsafeMutableRawBufferPointer
    private var (place, end) = (0, 0)

    init(_ run: RunFile.Run, of file: RunFile, width: Int, blockSize: Int) {
      self.file = file
      self.width = width
      offset = run.offset
      bytesLeft = run.size
      entriesLeft = run.count
      // A word that was changed may go on behind the end.
      block = .allocate(byteCount: blockSize + RunFile.mostBytes * width, alignment: 16)
      block.initializeMemory(as: UInt8.self, repeating: 0)
      entry = .allocate(capacity: width)
      entry.initialize(repeating: 0, count: width)
    }

    deinit {
      block.deallocate()
      entry.deallocate()
    }

    /// Reads the next entry.
    ///
    /// - Returns: Whether there is one.
    func advance() throws(SQLiteError) -> Bool {
      guard entriesLeft > 0 else { return false }
      entriesLeft -= 1
      if end - place < RunFile.mostBytes * width, bytesLeft > 0 { try fill() }
      guard let base = block.baseAddress else { return false }
      var next = base + place
      for column in 0..<width {
        var (zigzag, shift): (UInt64, UInt64) = (0, 0)
        while true {
          let byte = next.load(as: UInt8.self)
          next += 1
          zigzag |= UInt64(byte & 0x7F) &<< shift
          if byte < 0x80 { break }
          shift += 7
        }
        entry[column] &+= zigzag >> 1 ^ (0 &- (zigzag & 1))
      }
      place = next - base
      guard place <= end else {
        throw SQLiteError(.inputOutput, message: "a sorted run was changed", path: file.path)
      }
      return true
    }

    private func fill() throws(SQLiteError) {
      let rest = end - place
      block.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[place..<end]))
      let room = block.count - RunFile.mostBytes * width - rest
      let size = Int(min(Int64(room), bytesLeft))
      let got = try file.read(
        into: UnsafeMutableRawBufferPointer(rebasing: block[rest..<(rest + size)]),
        at: offset
      )
      guard got == size else {
        throw SQLiteError(.inputOutput, message: "a sorted run was cut off", path: file.path)
      }
      offset += Int64(got)
      bytesLeft -= Int64(got)
      (place, end) = (0, rest + got)
    }
  }

  private var readers: [Reader] = []
  /// The reader whose entry was returned last.
  private var current: Int?
  private let width: Int
  /// The indexes of the readers as a heap, the least entry first.
  private var heap: [Int] = []

  /// - Parameters:
  ///   - runs: The runs.
  ///   - file: Where they are.
  ///   - width: The words of an entry.
  /// - Throws: ``SQLiteError`` if the runs cannot be read.
  init(_ runs: [RunFile.Run], of file: RunFile, width: Int) throws(SQLiteError) {
    self.width = width
    for run in runs {
      let reader = Reader(run, of: file, width: width, blockSize: Self.blockSize)
      if try reader.advance() { readers.append(reader) }
    }
    heap = Array(readers.indices)
    for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(place) }
  }

  /// The next entry, valid until the next call; `nil` after the last one.
  mutating func next() throws(SQLiteError) -> UnsafePointer<UInt64>? {
    if let current {
      if try !readers[current].advance() { heap.swapAt(0, heap.count - 1); heap.removeLast() }
      if !heap.isEmpty { sink(0) }
    }
    guard let first = heap.first else { return nil }
    current = first
    return UnsafePointer(readers[first].entry)
  }

  private mutating func sink(_ start: Int) {
    var place = start
    while true {
      let left = 2 * place + 1
      guard left < heap.count else { return }
      let right = left + 1
      let child = right < heap.count && isLess(heap[right], heap[left]) ? right : left
      guard isLess(heap[child], heap[place]) else { return }
      heap.swapAt(child, place)
      place = child
    }
  }

  private func isLess(_ one: Int, _ other: Int) -> Bool {
    let (a, b) = (readers[one].entry, readers[other].entry)
    for column in 0..<width where a[column] != b[column] { return a[column] < b[column] }
    return false
  }
}
