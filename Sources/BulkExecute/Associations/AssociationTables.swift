internal import BulkPlan

/// The association tables of a migration, one for every entity mapping whose associations do not
/// follow from the keys alone.
///
/// The objects of a table are of its mapping's entity, unless a policy makes others. For source objects that have one of
/// another entity, a second table, under the complement of the mapping's index, has the entities of all their objects in
/// the same order.
///
/// One table is written at a time; finished ones can be looked up.
final class AssociationTables {
  /// The bytes that the table being written may hold in memory.
  static let writerMemory = 1 << 20
  /// The number of tables whose lookups are open at once; the plan's share of memory is for these.
  private static let lookupsAtOnce = 16

  private let folder: String
  private let attempt: String
  private let isDurable: Bool
  /// The bytes of all tables that are written, looked up and sorted.
  private let memory: Int
  private let isStopped: () -> Bool
  private var writer: AssociationWriter?
  private var entityWriter: AssociationWriter?
  /// The last source object, the number of its objects, and whether their entities are written.
  private var last = (source: Int64.min, count: 0, hasEntities: false)
  private var open: Int?
  /// The segments of the tables that an interrupted run had begun.
  private var begun: [Int: [AssociationSegmentReference]] = [:]
  private var tables: [Int: AssociationTable] = [:]
  /// The key of the first element's object, by mapping that makes an object for each element and finds existing
  /// objects.
  var firstKeys: [Int: Int64] = [:]
  private var lookups: [Int: AssociationCursor] = [:]
  private var scratches = 0

  /// Goes on with the tables of an interrupted run.
  ///
  /// With `isDurable` all segments are files in the folder; otherwise those that fit stay in memory.
  init(
    in folder: String,
    attempt: String,
    isDurable: Bool,
    memory: Int64,
    after saved: [RunState.Associations],
    isStopped: @escaping () -> Bool
  ) {
    (self.folder, self.attempt, self.isDurable) = (folder, attempt, isDurable)
    self.isStopped = isStopped
    self.memory = Int(memory)
    for table in saved {
      firstKeys[table.index] = table.firstKey
      if table.isFinished {
        tables[table.index] = AssociationTable(segments: table.segments, in: folder)
      } else {
        begun[table.index] = table.segments
      }
    }
  }

  func saved() throws -> [RunState.Associations] {
    var result = tables.sorted { $0.key < $1.key }.map {
      RunState.Associations(
        index: $0.key,
        segments: $0.value.segments,
        isFinished: true,
        firstKey: firstKeys[$0.key]
      )
    }
    guard let open else { return result }
    let written = [(open, try writer?.seal()), (~open, try entityWriter?.seal())]
    for case (let index, let segments?) in written {
      result.append(RunState.Associations(index: index, segments: segments, isFinished: false))
    }
    return result
  }

  func begin(_ index: Int) throws {
    guard tables[index] == nil else { return }
    open = index
    last = (source: .min, count: 0, hasEntities: false)
    writer = try makeWriter(index, Self.writerMemory)
    if begun[~index] != nil { try beginEntities(of: index) }
  }

  private func beginEntities(of index: Int) throws {
    entityWriter = try makeWriter(~index, AssociationWriter.leastMemory)
  }

  private func makeWriter(_ index: Int, _ memory: Int) throws -> AssociationWriter {
    try makeWriter("\(index)", memory, continuing: begun[index] ?? [])
  }

  private func makeWriter(
    _ name: String,
    _ memory: Int,
    continuing segments: [AssociationSegmentReference] = []
  ) throws -> AssociationWriter {
    try AssociationWriter(
      folder: folder,
      prefix: "associations-\(attempt)-\(name)",
      memoryLimit: memory,
      continuing: segments
    )
  }

  func isFinished(_ index: Int) -> Bool { tables[index] != nil }

  /// Adds an association to the table that was begun; source keys ascend.
  func append(_ sourceKey: Int64, _ destinationKey: Int64) throws {
    try writer?.append(AssociationRun(sourceKey: sourceKey, destinationKey: destinationKey))
  }

  func append(
    _ sourceKey: Int64,
    _ destinationKey: Int64,
    of entity: Int64,
    by mapping: InstanceMapping
  ) throws {
    if last.source != sourceKey { last = (source: sourceKey, count: 0, hasEntities: false) }
    func add(_ entity: Int64) throws {
      try entityWriter?.append(AssociationRun(sourceKey: sourceKey, destinationKey: entity))
    }
    if entity != mapping.destinationNumber, !last.hasEntities {
      if entityWriter == nil { try beginEntities(of: mapping.index) }
      for _ in 0..<last.count { try add(mapping.destinationNumber) }
      last.hasEntities = true
    }
    if last.hasEntities { try add(entity) }
    last.count += 1
    try append(sourceKey, destinationKey)
  }

  func finish(_ index: Int) throws {
    guard open == index, let writer = writer.take() else { return }
    open = nil
    tables[index] = try finished(writer)
    if let entities = entityWriter.take() { tables[~index] = try finished(entities) }
  }

  private func finished(_ writer: consuming AssociationWriter) throws -> AssociationTable {
    guard isDurable else { return try writer.finish() }
    return AssociationTable(segments: try writer.seal(), in: folder)
  }

  /// All destination keys of ascending source keys, those of each in the order in which they were made.
  func matches(of keys: [Int64], in index: Int) throws -> [AssociationCursor.Match] {
    guard let table = tables[index] else { return [] }
    if lookups[index] == nil, lookups.count == Self.lookupsAtOnce { lookups = [:] }
    let lookup = try lookups[index] ?? AssociationCursor(table)
    lookups[index] = lookup
    return try lookup.matches(of: keys)
  }

  /// The numbers of the entities of all objects that were found for source keys; `nil` if all are of the mapping's
  /// entity.
  func entities(
    of matches: [AssociationCursor.Match],
    from keys: [Int64],
    by mapping: InstanceMapping
  ) throws -> [Int64]? {
    var found = try self.matches(of: keys, in: ~mapping.index)[...]
    guard !found.isEmpty else { return nil }
    return matches.map { match in
      let isOther = found.first?.position == match.position
      return isOther ? found.removeFirst().destinationKey : mapping.destinationNumber
    }
  }

  /// The associations of a finished table in memory; `nil` if they do not fit beside the bytes that others hold
  /// already.
  func hold(_ index: Int, beside bytes: Int) throws -> HeldAssociations? {
    try tables[index].flatMap { try HeldAssociations($0, within: memoryLeft - bytes) }
  }

  /// The bytes for associations in memory while others are written or sorted.
  var memoryLeft: Int { memory / 2 }

  /// Of a table that serves the rows of one entity mapping and is then removed; it is not durable.
  func passingWriter() throws -> AssociationWriter {
    scratches += 1
    return try makeWriter("rows-\(scratches)", AssociationWriter.leastMemory)
  }

  func scratch() -> SortScratch {
    scratches += 1
    // Two sorts at once, with the runs that they merge.
    return SortScratch(
      in: folder,
      prefix: "associations-\(attempt)-links-\(scratches)",
      memory: memory / 4,
      isStopped: isStopped
    )
  }

  /// The source keys of a table whose destination keys have an offset, in ascending order.
  func keys(of index: Int, at offset: Int64) throws -> KeptKeys? {
    try tables[index].map { try KeptKeys($0, at: offset) }
  }

  func elements(of index: Int) throws -> KeptElements? {
    guard let table = tables[index], let key = firstKeys[index] else { return nil }
    return try KeptElements(table, firstKey: key)
  }

  /// Calls a body with every pair of a mapping's table and the number of the object's entity, in the order of the source
  /// keys.
  func pairs(
    of mapping: InstanceMapping,
    _ body: (_ source: Int64, _ object: Int64, _ entity: Int64) throws -> Void
  ) throws {
    guard let table = tables[mapping.index] else { return }
    let pairs = try AssociationCursor(table)
    let entities = try tables[~mapping.index].map { try AssociationCursor($0) }
    while let pair = try pairs.nextPair() {
      let entity = try entities?.nextPair(of: pair.source)?.object
      try body(pair.source, pair.object, entity ?? mapping.destinationNumber)
    }
  }
}
