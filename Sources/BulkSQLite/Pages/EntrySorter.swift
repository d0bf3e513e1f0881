internal import BulkPlatform

/// Sorts the entries of an index over integers: the values of its columns, then the row id.
///
/// Entries are added in the order of their row ids. As many as the memory holds are sorted at once; more of
/// them become runs in an unnamed file, which are merged, in several rounds if they are many.
final class EntrySorter {
  /// The number of integers in an entry.
  let width: Int
  private let descends: [Bool]
  private let capacity: Int
  private let scratch: RunFile
  /// The integers of the entries in memory, in an order in which NULL is the least.
  private let words: UnsafeMutablePointer<UInt64>
  private var count = 0
  private var runs: [RunFile.Run] = []

  /// The fewest entries that are sorted at once.
  private static let leastCapacity = 1024

  /// - Parameters:
  ///   - descends: Whether the values of each column descend.
  ///   - memory: The bytes to use.
  ///   - path: The file beside which runs are kept.
  init(_ descends: [Bool], memory: Int, beside path: String) {
    self.descends = descends
    width = descends.count + 1
    // Sorting takes two keys and two places for an entry, beside its integers.
    capacity = max(memory / (8 * (width + 3)), Self.leastCapacity)
    words = .allocate(capacity: capacity * width)
    scratch = RunFile(beside: path)
  }

  deinit { words.deallocate() }

  /// Adds an entry.
  ///
  /// - Returns: Whether it can be sorted: the least integer of all cannot.
  @inline(__always)
  func add(
    _ values: UnsafeBufferPointer<Int64?>,
    _ row: Int64
  ) throws(SQLiteError) -> Bool {
    if count == capacity { try spill() }
    let place = words + count * width
    for index in values.indices {
      guard let word = EntryOrder.word(of: values[index], descends: descends[index]) else {
        return false
      }
      place[index] = word
    }
    place[width - 1] = EntryOrder.word(of: row)
    count += 1
    return true
  }

  /// Calls a body with all entries in their order.
  func each(
    _ body: (UnsafePointer<UInt64>) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    guard !runs.isEmpty else {
      let order = sorted()
      defer { order.deallocate() }
      for index in 0..<count { try body(words + Int(order[index]) * width) }
      return
    }
    try spill()
    while runs.count > RunMerge.most { try mergeSome() }
    var merge = try RunMerge(runs, of: scratch, width: width)
    while let entry = try merge.next() { try body(entry) }
  }

  /// Makes a run of the entries in memory.
  private func spill() throws(SQLiteError) {
    let order = sorted()
    defer { order.deallocate() }
    var run = try scratch.begin(width: width)
    for index in 0..<count { try run.append(words + Int(order[index]) * width) }
    runs.append(try run.finish())
    count = 0
  }

  /// Makes one run of as many as are merged at once.
  private func mergeSome() throws(SQLiteError) {
    var merge = try RunMerge(Array(runs.prefix(RunMerge.most)), of: scratch, width: width)
    var run = try scratch.begin(width: width)
    while let entry = try merge.next() { try run.append(entry) }
    runs.removeFirst(RunMerge.most)
    runs.append(try run.finish())
  }

  /// The places of the entries in their order.
  private func sorted() -> UnsafeMutablePointer<UInt32> {
    PackedSort(words, count: count, width: width).order()
  }
}

/// The order of integers in an index, in which NULL comes first, or last where they descend.
enum EntryOrder {
  /// The word of a row id.
  @inline(__always)
  static func word(of row: Int64) -> UInt64 { UInt64(bitPattern: row) ^ 1 << 63 }

  /// The word of a value; `nil` for the least integer, whose place NULL has.
  @inline(__always)
  static func word(of value: Int64?, descends: Bool) -> UInt64? {
    guard let value else { return descends ? .max : 0 }
    guard value != .min else { return nil }
    return descends ? ~word(of: value) : word(of: value)
  }

  /// The row id that a word stands for.
  static func row(of word: UInt64) -> Int64 { Int64(bitPattern: word ^ 1 << 63) }

  /// The value that a word stands for.
  static func value(of word: UInt64, descends: Bool) -> Int64? {
    let plain = descends ? ~word : word
    return plain == 0 ? nil : row(of: plain)
  }
}
