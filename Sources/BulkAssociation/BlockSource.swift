/// Provides the blocks of a table in order, with one segment open and one block in memory.
struct BlockSource: ~Copyable {
  /// A block, by the number of its segment and its number there; the blocks in memory come last.
  struct Place: Hashable {
    var part = 0
    var block = 0
  }

  let table: AssociationTable
  private let decompressor: BlockDecompressor
  private var segment: AssociationSegment?
  private var openPart: Int?
  private var entries: [EncodedBlock.Entry] = []

  init(_ table: AssociationTable) throws(AssociationError) {
    self.table = table
    decompressor = try BlockDecompressor()
  }

  /// `nil` after the last block.
  mutating func runs(at place: Place) throws(AssociationError) -> [AssociationRun]? {
    guard place.part < partCount else { return nil }
    if place.part < table.segments.count {
      try open(place.part)
      return try segment?.runs(ofBlock: place.block, with: decompressor)
    }
    let block = table.blocks[place.block]
    switch block.entry.runs(of: block.frame, with: decompressor) {
    case .success(let runs): return runs
    case .failure(let fault):
      throw .damaged(path: "memory", offset: place.block, reason: fault.rawValue)
    }
  }

  mutating func place(after place: Place) throws(AssociationError) -> Place {
    let count = try blockCount(of: place.part)
    if place.block + 1 < count { return Place(part: place.part, block: place.block + 1) }
    return Place(part: place.part + 1)
  }

  /// The position after the last block if none reaches the key.
  mutating func firstPlace(reaching key: Int64) throws(AssociationError) -> Place {
    let part = (0..<partCount).firstIndex { lastSourceKey(ofPart: $0) >= key } ?? partCount
    guard part < partCount else { return Place(part: part) }
    var low = 0
    var high = try blockCount(of: part)
    while low < high {
      let middle = (low + high) / 2
      if lastSourceKey(of: middle, inPart: part) < key { low = middle + 1 } else { high = middle }
    }
    return Place(part: part, block: low)
  }

  private var partCount: Int { table.segments.count + (table.blocks.isEmpty ? 0 : 1) }

  private func lastSourceKey(ofPart part: Int) -> Int64 {
    if part < table.segments.count { return table.segments[part].lastSourceKey }
    return table.blocks.last?.entry.lastSourceKey ?? .min
  }

  private mutating func blockCount(of part: Int) throws(AssociationError) -> Int {
    guard part < table.segments.count else { return table.blocks.count }
    try open(part)
    return entries.count
  }

  /// In the open part.
  private func lastSourceKey(of block: Int, inPart part: Int) -> Int64 {
    guard part < table.segments.count else { return table.blocks[block].entry.lastSourceKey }
    return entries[block].lastSourceKey
  }

  private mutating func open(_ part: Int) throws(AssociationError) {
    guard openPart != part else { return }
    openPart = nil
    segment = nil
    let opened = try AssociationSegment(table.segments[part], in: table.folder)
    entries = opened.entries
    segment = consume opened
    openPart = part
  }
}
