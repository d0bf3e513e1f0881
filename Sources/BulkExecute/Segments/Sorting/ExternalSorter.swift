internal import BulkSupport

/// An entry that an ``ExternalSorter`` sorts.
package protocol SortedEntry {
  associatedtype Order

  /// In bytes, beside the entry's own.
  static var sortingMemory: Int { get }
  static var blockCapacity: Int { get }

  func precedes(_ other: Self, in order: Order) -> Bool
  static func arranged(_ entries: ContiguousArray<Self>, by order: Order) -> ContiguousArray<UInt32>
  static func encode(_ entries: ContiguousArray<Self>) -> [UInt8]
  /// `nil` if the bytes are not a block.
  static func decode(_ bytes: [UInt8]) -> ContiguousArray<Self>?
}

/// Sorts any number of entries in the memory of a ``SortScratch``.
///
/// The collected entries become a sorted run whenever the memory is used up; runs are kept on disk and merged.
package final class ExternalSorter<Entry: SortedEntry> {
  private static var fewEntries: Int { 1024 }

  private let order: Entry.Order
  private let scratch: SortScratch
  /// Entries collected before they become a run.
  private let capacity: Int
  private var entries: ContiguousArray<Entry> = []
  private var runs: SortedRuns<Entry>?

  package init(_ order: Entry.Order, in scratch: SortScratch) {
    self.order = order
    self.scratch = scratch
    let entryMemory = MemoryLayout<Entry>.stride + Entry.sortingMemory
    capacity = min(scratch.memory / entryMemory, Int(UInt32.max))
  }

  package func add(_ entry: Entry) throws {
    if entries.count == capacity { try spill() }
    // Growing by doubling would exceed the memory limit.
    if entries.count == Self.fewEntries { entries.reserveCapacity(capacity) }
    entries.append(entry)
  }

  /// One after the other, then `nil`; nothing may be added afterwards.
  package func sorted() throws -> () throws -> Entry? {
    guard runs != nil else { return arranged() }
    try spill()
    entries = []
    var runs = self.runs
    while let more = runs, more.count > SortedRuns<Entry>.mergedAtOnce {
      runs = try more.merged(order)
    }
    let merge = try SortedRunMerge(runs?.readers() ?? [], order)
    return { try merge.next() }
  }

  private func spill() throws {
    if runs == nil { runs = try SortedRuns(scratch) }
    try runs?.append(arranged())
    entries.removeAll(keepingCapacity: true)
  }

  private func arranged() -> () throws -> Entry? {
    let indexes = Entry.arranged(entries, by: order)
    var index = 0
    return { [self] in
      guard index < entries.count else { return nil }
      defer { index += 1 }
      return entries[Int(indexes[index])]
    }
  }
}

/// The resources of sorts: a folder for entries that do not fit into memory, and the memory limit
/// of each sort.
package final class SortScratch {
  /// In bytes.
  package static let leastMemory = 1 << 20

  /// In bytes, with the memory for sorting.
  let memory: Int
  private let folder: String
  private let prefix: String
  private var files = 0
  /// Asked for each block that is written or read; a sort that is stopped throws ``AssociationError/stopped``.
  let isStopped: () -> Bool

  /// No file in the folder outlives the process, even if it crashes.
  ///
  /// The memory is that of each sort in bytes; at least ``leastMemory``.
  package init(
    in folder: String,
    prefix: String,
    memory: Int,
    isStopped: @escaping () -> Bool = { false }
  ) {
    self.folder = folder
    self.prefix = prefix
    self.memory = max(memory, Self.leastMemory)
    self.isStopped = isStopped
  }

  func makeFile() throws -> OpenFile {
    files += 1
    let path = "\(folder)/\(prefix)-sorted-\(files)"
    let file = try OpenFile(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
    // It is deleted when it is closed, even if the process crashes. The call does not keep the path.
    guard unsafe unlink(path) == 0 else { throw FileError.last(path) }
    return file
  }
}

/// Sorts words digit by digit.
enum WordOrder {
  private static let digitBits = 11

  /// Words that agree in the bits keep their order.
  static func sort(_ words: inout ContiguousArray<UInt64>, by bits: Range<Int>) {
    var target = words
    for low in stride(from: bits.lowerBound, to: bits.upperBound, by: digitBits) {
      let mask = ~(UInt64.max << UInt64(min(digitBits, bits.upperBound - low)))
      var starts = [Int](repeating: 0, count: 1 << digitBits)
      for word in words { starts[Int(word >> UInt64(low) & mask)] += 1 }
      var sum = 0
      for digit in starts.indices {
        sum += starts[digit]
        starts[digit] = sum - starts[digit]
      }
      for word in words {
        let digit = Int(word >> UInt64(low) & mask)
        target[starts[digit]] = word
        starts[digit] += 1
      }
      swap(&words, &target)
    }
  }

  /// The indexes in the low bits of sorted words; entries that agree in the rest of the word are compared.
  ///
  /// There is at least one word.
  @inline(__always)
  static func indexes(
    in words: ContiguousArray<UInt64>,
    bits: Int,
    _ precedes: (Int, Int) -> Bool
  ) -> ContiguousArray<UInt32> {
    let mask = ~(UInt64.max << UInt64(bits))
    var indexes = ContiguousArray(words.lazy.map { UInt32($0 & mask) })
    var start = 0
    for index in 1...words.count
    where index == words.count || (words[index] ^ words[start]) & ~mask != 0 {
      if index - start > 1 {
        indexes[start..<index].sort { precedes(Int($0), Int($1)) }
      }
      start = index
    }
    return indexes
  }
}
