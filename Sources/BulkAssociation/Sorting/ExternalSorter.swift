/// An entry that an ``ExternalSorter`` sorts.
protocol SortedEntry {
  associatedtype Order

  /// The memory for sorting an entry, in bytes, beside its own.
  static var sortingMemory: Int { get }
  /// The maximum number of entries in a block of a run.
  static var blockCapacity: Int { get }

  /// Whether it precedes another entry.
  func precedes(_ other: Self, in order: Order) -> Bool
  /// The indexes of entries in their order.
  static func arranged(_ entries: ContiguousArray<Self>, by order: Order) -> ContiguousArray<UInt32>
  /// The bytes of the entries of a block.
  static func encode(_ entries: ContiguousArray<Self>) -> [UInt8]
  /// The entries of a block; `nil` if the bytes are not a block.
  static func decode(_ bytes: [UInt8]) -> ContiguousArray<Self>?
}

/// Sorts any number of entries in the memory of a ``SortScratch``.
///
/// The collected entries become a sorted run whenever the memory is used up; runs are kept on disk and merged.
final class ExternalSorter<Entry: SortedEntry> {
  /// The number of entries at which the full capacity is reserved.
  private static var fewEntries: Int { 1024 }

  private let order: Entry.Order
  private let scratch: SortScratch
  /// The number of entries collected before they become a run.
  private let capacity: Int
  private var entries: ContiguousArray<Entry> = []
  private var runs: SortedRuns<Entry>?

  init(_ order: Entry.Order, in scratch: SortScratch) {
    self.order = order
    self.scratch = scratch
    let entryMemory = MemoryLayout<Entry>.stride + Entry.sortingMemory
    capacity = min(scratch.memory / entryMemory, Int(UInt32.max))
  }

  func add(_ entry: Entry) throws(AssociationError) {
    if entries.count == capacity { try spill() }
    // Growing by doubling would exceed the memory limit.
    if entries.count == Self.fewEntries { entries.reserveCapacity(capacity) }
    entries.append(entry)
  }

  /// Returns the entries in their order, one after the other, then `nil`; nothing may be added afterwards.
  func sorted() throws(AssociationError) -> () throws(AssociationError) -> Entry? {
    guard runs != nil else { return arranged() }
    try spill()
    entries = []
    var runs = self.runs
    while let more = runs, more.count > SortedRuns<Entry>.mergedAtOnce {
      runs = try more.merged(order)
    }
    let merge = try SortedRunMerge(runs?.readers() ?? [], order)
    return { () throws(AssociationError) in try merge.next() }
  }

  private func spill() throws(AssociationError) {
    if runs == nil { runs = try SortedRuns(scratch) }
    try runs?.append(arranged())
    entries.removeAll(keepingCapacity: true)
  }

  /// The collected entries in order, one after the other.
  private func arranged() -> () throws(AssociationError) -> Entry? {
    let indexes = Entry.arranged(entries, by: order)
    var place = 0
    return { [self] () throws(AssociationError) in
      guard place < entries.count else { return nil }
      defer { place += 1 }
      return entries[Int(indexes[place])]
    }
  }
}

/// The resources of sorts: a folder for entries that do not fit into memory, and the memory limit
/// of each sort.
package final class SortScratch {
  /// The least memory in bytes that a sort needs.
  package static let leastMemory = 1 << 20

  /// The memory in bytes for the entries that one sort collects, including the memory for sorting them.
  let memory: Int
  private let folder: String
  private let prefix: String
  private var files = 0

  /// Prepares a place to sort.
  ///
  /// - Parameters:
  ///   - folder: The folder of the files; none of them outlives the process, even if it crashes.
  ///   - prefix: The prefix of their names.
  ///   - memory: The memory limit of each sort in bytes; at least ``leastMemory``.
  package init(in folder: String, prefix: String, memory: Int) {
    self.folder = folder
    self.prefix = prefix
    self.memory = max(memory, Self.leastMemory)
  }

  /// Creates a file without a name.
  func makeFile() throws(AssociationError) -> SegmentFile {
    files += 1
    return try SegmentFile.unnamed("\(folder)/\(prefix)-sorted-\(files)")
  }
}

/// Sorts words digit by digit.
enum WordOrder {
  private static let digitBits = 11

  /// Sorts words by some of their bits; words that agree in these keep their order.
  static func sort(_ words: inout ContiguousArray<UInt64>, by bits: Range<Int>) {
    var target = words
    for low in stride(from: bits.lowerBound, to: bits.upperBound, by: digitBits) {
      let mask = ~(UInt64.max << UInt64(min(digitBits, bits.upperBound - low)))
      var places = [Int](repeating: 0, count: 1 << digitBits)
      for word in words { places[Int(word >> UInt64(low) & mask)] += 1 }
      var sum = 0
      for digit in places.indices {
        sum += places[digit]
        places[digit] = sum - places[digit]
      }
      for word in words {
        let digit = Int(word >> UInt64(low) & mask)
        target[places[digit]] = word
        places[digit] += 1
      }
      swap(&words, &target)
    }
  }

  /// The indexes in the low bits of sorted words; entries that agree in the rest of the word are compared.
  ///
  /// - Parameters:
  ///   - words: The words, at least one.
  ///   - bits: The number of bits that an index takes.
  ///   - precedes: Whether the entry with an index precedes the one with another.
  /// - Returns: The indexes in the order of the entries.
  @inline(__always)
  static func indexes(
    in words: ContiguousArray<UInt64>,
    bits: Int,
    _ precedes: (Int, Int) -> Bool
  ) -> ContiguousArray<UInt32> {
    let mask = ~(UInt64.max << UInt64(bits))
    var indexes = ContiguousArray(words.lazy.map { UInt32($0 & mask) })
    var start = 0
    for place in 1...words.count
    where place == words.count || (words[place] ^ words[start]) & ~mask != 0 {
      if place - start > 1 {
        indexes[start..<place].sort { precedes(Int($0), Int($1)) }
      }
      start = place
    }
    return indexes
  }
}
