internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Computes the memory that a migration needs beyond what the program holds when it begins.
///
/// The figures are upper bounds of measurements (`bench/run memory`), not estimates of usual
/// values.
struct MemoryNeeds {
  let work: MigrationWork
  let largeRows: LargeRowNeeds

  private static let kibibyte: Int64 = 1 << 10
  private static let mebibyte: Int64 = 1 << 20

  /// Code, data of libraries and memory kept by the allocator, measured as the growth in a run of a small
  /// store.
  private static let program = (isOptimized ? 9 : 15) * mebibyte
  /// Whether the program is built for release; otherwise it has more code.
  private static var isOptimized: Bool {
    #if DEBUG
    false
    #else
    true
    #endif
  }
  /// An entity of either model with its table, index and statements.
  private static let entity = 6 * kibibyte
  /// A property of either model with its column.
  private static let property = kibibyte
  /// An R-tree while it is filled: its statements, and the nodes on the way to an entry.
  private static let rTree = 96 * kibibyte
  /// A part of an expression of a mapping model: as read, as compiled, and in SQL.
  private static let expressionPart: Int64 = 512
  /// What a match of a regular expression may keep.
  private static let match = 8 * mebibyte
  /// The number of copies of a constant text of an expression, in each of its forms.
  private static let expressionTexts: Int64 = 8
  /// The memory for a byte of metadata when it is read; lists of small values take the most.
  private static let metadataByte: Int64 = 40
  /// The metadata included in the needs of the program.
  private static let ordinaryMetadata: Int64 = 64 * kibibyte
  /// The location of a page of the log, in every reader of the source.
  private static let loggedPage: Int64 = 200
  /// Two threads sort at once.
  private static let sorters: Int64 = 2
  /// The digest of the source, two more connections, and lists.
  private static let check = 2 * mebibyte
  /// The deepest path from a root to a leaf that is held.
  private static let depth: Int64 = 20
  /// A table that is written: blocks and zstd's memory.
  private static let writtenAssociations = 3 * mebibyte
  /// A table that is read: a block, its index and zstd's memory.
  private static let associationLookup = 512 * kibibyte
  /// Two concurrent sorts of links, with the runs that they merge.
  private static let links = 4 * mebibyte
  private static let mostLinks = 24 * mebibyte
  /// Lists of three columns of some millions of rows.
  private static let mostLookups = 48 * mebibyte
  /// The maximum number of tables that are read at once.
  private static let lookupsAtOnce = 16

  /// The memory needed from beginning to end.
  func memory() -> PlannedMemory {
    var result = PlannedMemory()
    let (unit, most) = (Self.mebibyte, 16 * Self.mebibyte)
    result.shares = [
      MemoryShare(.program, least: Self.program),
      MemoryShare(.models, least: models),
      MemoryShare(.destinationCache, least: unit, most: most),
      MemoryShare(.sourceCache, least: unit, most: most),
      MemoryShare(.lookups, least: unit / 2, most: looksForRows ? Self.mostLookups : 4 * unit),
      MemoryShare(.sorter, least: Self.sorters * unit, most: Self.sorters * most),
      MemoryShare(
        .check,
        least: Self.check + Self.depth * Int64(work.store.pageSize) + work.store.censusBytes
      ),
    ]
    if hasPolicies {
      result.shares.append(MemoryShare(.temporaryTables, least: unit, most: 4 * unit))
    }
    if work.store.loggedPages > 0 {
      result.shares.append(
        MemoryShare(.log, least: work.store.loggedPages * Self.loggedPage)
      )
    }
    let carried = (work.unmanagedTables.tables + work.unmanagedTables.history).map(\.name)
    result.shares += largestRow(of: carried)
    result.streamedTables = largeRows.streamedTables.sorted()
    result.largestRow = largeRows.held.values.max { $0.needed < $1.needed }?.row
    return result
  }

  /// The additional needs of a pass.
  func shares(of pass: [WorkItem]) -> [MemoryShare] {
    let creations = pass.creations
    let inRows = creations.contains { work.instances.findsLinks(in: $0) }
    var result = associations(of: creations, isLinked: inRows || !pass.links.isEmpty)
    if creations.contains(where: \.evaluatesRows) {
      result.append(MemoryShare(.rows, least: 4 * Self.mebibyte, most: 16 * Self.mebibyte))
    }
    return result + largestRow(of: pass.entityRows.map(\.source))
  }

  /// The needs of association tables, groups and links: they are written while objects are made, read by policies,
  /// and followed when all objects exist.
  private func associations(
    of creations: [InstanceCreation],
    isLinked: Bool
  ) -> [MemoryShare] {
    let instances = work.instances
    let isWritten = creations.contains {
      instances.recorded.contains($0.mapping.index) || instances.findsLinks(in: $0)
    }
    let openLookups = hasPolicies ? min(instances.recorded.count, Self.lookupsAtOnce) : 0
    let held =
      Int64(openLookups) * Self.associationLookup + (isWritten ? Self.writtenAssociations : 0)
    let isSorted = isLinked || creations.contains(where: \.mapping.isMerging)
    guard held > 0 || isSorted else { return [] }
    return [
      MemoryShare(
        .associations,
        least: isSorted ? held + Self.links : held,
        most: isSorted ? held + Self.mostLinks : held
      )
    ]
  }

  /// The needs of the largest row of some source tables; rows that are not large are included in the needs of
  /// the program.
  private func largestRow(of tables: [String]) -> [MemoryShare] {
    let held = tables.compactMap { largeRows.held[$0]?.needed }.max()
    return held.map { [MemoryShare(.largestRow, least: $0)] } ?? []
  }

  private var models: Int64 {
    let both = [work.layout.schema.model, work.destination.model]
    let entities = both.reduce(0) { $0 + $1.entities.count }
    let properties = both.flatMap(\.entities).reduce(0) {
      $0 + $1.attributes.count + $1.relationships.count
    }
    return Int64(entities) * Self.entity + Int64(properties) * Self.property + mapping + metadata
      + Int64(work.destination.rTrees.count) * Self.rTree
  }

  /// The needs of the mapping model, which may hold collections of any size.
  private var mapping: Int64 {
    let weight = MappingWeight(of: work.mapping)
    return weight.parts * Self.expressionPart + weight.textBytes * Self.expressionTexts
      + (weight.hasPatterns || rulesHavePatterns ? Self.match : 0)
  }

  private var rulesHavePatterns: Bool {
    work.isJudged
      && work.destination.model.entities.contains { entity in
        entity.attributes.contains { $0.validationPredicates.contains(where: \.hasPattern) }
      }
  }

  private var metadata: Int64 {
    max(work.store.metadataBytes - Self.ordinaryMetadata, 0) * Self.metadataByte
  }

  /// Whether expressions, filters or links lead from row to row.
  private var looksForRows: Bool {
    !work.instances.relationships.isEmpty
      || work.instances.creations.contains(where: \.evaluatesRows)
  }

  private var hasPolicies: Bool {
    work.instances.creations.contains(where: \.mapping.hasPolicy)
  }
}
