/// Merges sorted runs of entries, of which it holds a block each.
struct RunMerge<Entry: PackedEntry>: ~Copyable {
  private let readers: UnsafeMutableBufferPointer<RunReader<Entry>>
  /// The next entries of the readers as a heap, the least one first.
  private let heap: UnsafeMutablePointer<(entry: Entry, reader: Int)>
  private var count = 0
  private var hasFirst = false

  /// - Parameters:
  ///   - runs: The runs.
  ///   - file: Where they are.
  ///   - packing: How the merged entries are packed; no run has entries that do not fit.
  /// - Throws: ``SQLiteError`` if the runs cannot be read.
  init(
    _ runs: ArraySlice<RunFile.Run>,
    of file: RunFile,
    _ packing: EntryPacking
  ) throws(SQLiteError) {
    heap = .allocate(capacity: max(runs.count, 1))
    readers = .allocate(capacity: runs.count)
    for (index, run) in runs.enumerated() {
      readers.initializeElement(at: index, to: RunReader(run, of: file, under: packing))
    }
    for index in readers.indices {
      guard let entry = try readers[index].next() else { continue }
      (heap + count).initialize(to: (entry, index))
      count += 1
    }
    for place in stride(from: count / 2 - 1, through: 0, by: -1) { sink(place) }
  }

  deinit {
    readers.deinitialize().deallocate()
    heap.deallocate()
  }

  /// The next entry; `nil` after the last one.
  @inline(__always)
  mutating func next() throws(SQLiteError) -> Entry? {
    if hasFirst {
      if let entry = try readers[heap[0].reader].next() {
        heap[0].entry = entry
      } else {
        count -= 1
        heap[0] = heap[count]
      }
      sink(0)
    }
    hasFirst = true
    return count > 0 ? heap[0].entry : nil
  }

  @inline(__always)
  private func sink(_ start: Int) {
    guard start < count else { return }
    let sunk = heap[start]
    var place = start
    while true {
      var child = 2 * place + 1
      guard child < count else { break }
      if child + 1 < count, heap[child + 1].entry < heap[child].entry { child += 1 }
      guard heap[child].entry < sunk.entry else { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = sunk
  }
}
