internal import BulkSupport

/// Sorts the entries of an index over integers: the values of its columns, then the row id.
///
/// Entries are added in the order of their row ids. As many as the memory holds are sorted at once; more of
/// them become runs in an unnamed file, which are merged, in several rounds if they are many. Where an index of the source
/// has the same entries, they are read there, and nothing is sorted.
final class EntrySorter {
  private let width: Int
  private let memory: Int
  private let scratch: RunFile
  private let copied: CopiedEntries?
  private var runs: [RunFile.Run] = []
  /// The entries in memory; one of the two.
  private var narrow: PackedEntries<UInt64>?
  private var wide: PackedEntries<UInt128>?
  /// The words of the entries that are added at once, field by field.
  private let batch: UnsafeMutablePointer<UInt64>
  private(set) var canSort = true

  static let batchSize = 1024
  /// The logarithm of the number of row ids with space from the beginning, if entries have no more
  /// bits than these without it.
  private static let (rowReserve, bitsWithRoom): (UInt64, Int) = (23, 46)
  /// In bytes.
  static let leastMemory = 1 << 16

  /// Sorts within some bytes of memory, and keeps runs beside a file; or reads the entries elsewhere.
  init(columns: Int, memory: Int, beside path: String, copied: CopiedEntries? = nil) {
    self.copied = copied
    width = columns + 1
    self.memory = max(memory, Self.leastMemory)
    scratch = RunFile(beside: path)
    batch = .allocate(capacity: width * Self.batchSize)
    guard copied == nil else { return }
    narrow = PackedEntries(
      capacity: self.memory / PackedEntries<UInt64>.bytes,
      EntryPacking(width: width)
    )
  }

  deinit { batch.deallocate() }

  /// Where the words of the entries that ``add(_:)`` adds are put, as ``EntryOrder`` has them; those of the row
  /// id are the last field.
  func batch(ofField field: Int) -> UnsafeMutablePointer<UInt64> { batch + field * Self.batchSize }

  /// Adds entries whose words were put in their places, at most ``batchSize``.
  func add(_ count: Int) throws(SQLiteError) {
    guard count > 0, canSort else { return }
    if let copied { copied.expect(batch, stride: Self.batchSize, count) } else { try pack(count) }
  }

  /// Stops sorting: an entry cannot be sorted.
  func refuse() {
    canSort = false
    runs = []
    (narrow, wide) = (nil, nil)
  }

  /// Passes on all entries' words in order, and whether an entry's columns equal those before.
  ///
  /// Nothing may be added any more. Returns whether these were the entries that were added; only
  /// those that are read elsewhere may be others.
  func each(
    _ body: (UnsafePointer<UInt64>, Bool) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> Bool {
    if let copied { return try copied.each(body) }
    try each(of: &narrow, body)
    try each(of: &wide, body)
    return true
  }

  private func pack(_ batched: Int) throws(SQLiteError) {
    if let narrow, try !pack(batched, into: narrow) {
      if narrow.count > 0 { try spill(narrow) }
      self.narrow = nil
      wide = PackedEntries(capacity: memory / PackedEntries<UInt128>.bytes, narrow.packing)
    }
    if let wide, try !pack(batched, into: wide) { refuse() }
  }

  /// Returns whether their words fit into numbers of the type.
  private func pack<Entry>(
    _ batched: Int,
    into entries: PackedEntries<Entry>
  ) throws(SQLiteError) -> Bool {
    if !entries.hasRoom(for: batched) { try spill(entries) }
    let packing = widened(entries.packing, for: batched)
    guard packing.bits <= Entry.bitWidth else { return false }
    if packing != entries.packing { entries.repack(packing) }
    entries.add(batch, stride: Self.batchSize, batched)
    return true
  }

  private func widened(_ packing: EntryPacking, for batched: Int) -> EntryPacking {
    var result = packing
    for field in 0..<width {
      let words = batch + field * Self.batchSize
      var (least, greatest) = (UInt64.max, UInt64.min)
      for index in 0..<batched {
        let word = words[index]
        // NULL has a number of its own.
        if word == 0 || word == .max { continue }
        least = min(least, word)
        greatest = max(greatest, word)
      }
      guard least <= greatest else { continue }
      result.widen(field, from: least, to: greatest)
      // Row ids keep ascending.
      if field == width - 1, result.bits <= Self.bitsWithRoom, result != packing {
        let reserve = min(UInt64.max - greatest, 1 << Self.rowReserve)
        result.widen(field, from: least, to: greatest + reserve)
      }
      if field == width - 1, result.bits > 64, packing.bits <= 64 { result.tighten(to: greatest) }
    }
    return result
  }

  /// Makes a run of the entries in memory, or continues the last one where they follow it.
  private func spill<Entry>(_ entries: PackedEntries<Entry>) throws(SQLiteError) {
    entries.sort()
    var last = runs.popLast()
    if let other = last, other.packing != entries.packing || other.last > UInt128(entries[0]) {
      runs.append(other)
      last = nil
    }
    var run = try scratch.begin(entries.packing, Entry.self, after: last)
    for index in 0..<entries.count { try run.append(entries[index]) }
    runs.append(try run.finish())
    entries.removeAll()
  }

  private func each<Entry>(
    of sorted: inout PackedEntries<Entry>?,
    _ body: (UnsafePointer<UInt64>, Bool) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    guard let entries = sorted else { return }
    guard runs.isEmpty else {
      try spill(entries)
      let packing = entries.packing
      sorted = nil
      return try merge(packing, Entry.self, body)
    }
    entries.sort()
    var reader = EntryReader<Entry>(entries.packing)
    for index in 0..<entries.count {
      let isSame = reader.read(entries[index])
      try body(reader.words, isSame)
    }
  }

  private func merge<Entry: PackedEntry>(
    _ packing: EntryPacking,
    _ type: Entry.Type,
    _ body: (UnsafePointer<UInt64>, Bool) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let most = RunFile.mostRuns(in: memory)
    while runs.count > most {
      var merge = try RunMerge<Entry>(runs.prefix(most), of: scratch, packing)
      var run = try scratch.begin(packing, Entry.self)
      while let entry = try merge.next() { try run.append(entry) }
      runs.removeFirst(most)
      runs.append(try run.finish())
    }
    var merge = try RunMerge<Entry>(runs[...], of: scratch, packing)
    var reader = EntryReader<Entry>(packing)
    while let entry = try merge.next() {
      let isSame = reader.read(entry)
      try body(reader.words, isSame)
    }
  }
}

/// Merges sorted runs of entries, with a block of each in memory.
struct RunMerge<Entry: PackedEntry>: ~Copyable {
  private let readers: UnsafeMutableBufferPointer<RunReader<Entry>>
  private var heap: MergeHeap<Entry>
  private var hasFirst = false

  /// The packing has space for all entries.
  init(
    _ runs: ArraySlice<RunFile.Run>,
    of file: RunFile,
    _ packing: EntryPacking
  ) throws(SQLiteError) {
    heap = MergeHeap(runs: runs.count)
    readers = .allocate(capacity: runs.count)
    for (index, run) in runs.enumerated() {
      readers.initializeElement(at: index, to: RunReader(run, of: file, under: packing))
    }
    for index in readers.indices {
      if let entry = try readers[index].next() { heap.add(entry, of: index) }
    }
    heap.arrange(<)
  }

  deinit { readers.deinitialize().deallocate() }

  @inline(__always)
  mutating func next() throws(SQLiteError) -> Entry? {
    if hasFirst, let first = heap.first {
      heap.replaceFirst(with: try readers[first.run].next(), <)
    }
    hasFirst = true
    return heap.first?.element
  }
}
