internal import BulkPlan
internal import BulkStore

/// Finds the objects that the links of rows lead to, while the rows are written.
///
/// The keys of the objects are known before the first row: from association tables, which are held in memory
/// where they fit. Elsewhere the links of all rows are sorted by the source objects they lead to, followed,
/// and sorted back, so that each row meets its object in order.
final class RowLinks: LinkTargets {
  /// The lookup of one link's objects.
  private enum Objects {
    /// Maker by maker, by the source object at the end of the link.
    case held([(table: HeldAssociations, entityNumber: Int64)])
    /// By the source row from which a row is made.
    case ordered(keys: AssociationCursor, entityNumbers: AssociationCursor)
  }

  private let relationships: [(number: Int, relationship: LinkedRelationship)]
  private let associations: AssociationTables
  private let tables: Follow
  private var passing: [AssociationTable] = []
  /// Gives the object of each source row of a side, and the number of its entity, as tables that serve one mapping.
  typealias Follow = (LinkedRelationship.Assignment, LinkedRelationship) throws -> (
    keys: AssociationTable, entityNumbers: AssociationTable
  )

  /// By the numbers of the links.
  private var open: [Objects?] = []
  /// The mappings that make the objects of groups and whose groups were used.
  private var grouped: Set<Int> = []
  /// The fault, which SQLite reports in its own way.
  private(set) var failure: (any Error)?

  init(
    _ relationships: [LinkedRelationship],
    _ associations: AssociationTables,
    following tables: @escaping Follow
  ) {
    self.relationships = relationships.compactMap { relationship in
      relationship.rowNumber.map { ($0, relationship) }
    }
    self.associations = associations
    self.tables = tables
  }

  func makers(for mapping: InstanceMapping) -> [InstanceMapping] {
    sides(of: mapping).flatMap(\.side.makers)
  }

  /// Whether the groups of a mapping's source objects are used for the first time.
  func isFirstTime(_ mapping: InstanceMapping) -> Bool { grouped.insert(mapping.index).inserted }

  /// The associations of the mapping's makers are known.
  func begin(_ mapping: InstanceMapping) throws {
    failure = nil
    var bytes = 0
    for (number, side, relationship) in sides(of: mapping) {
      while open.count <= number { open.append(nil) }
      if let held = try hold(side, beside: bytes) {
        bytes += held.reduce(0) { $0 + $1.table.memoryUse }
        open[number] = .held(held)
      } else {
        let tables = try tables(side, relationship)
        passing += [tables.keys, tables.entityNumbers]
        open[number] = .ordered(
          keys: try AssociationCursor(tables.keys),
          entityNumbers: try AssociationCursor(tables.entityNumbers)
        )
      }
    }
  }

  func end() {
    open = []
    for table in passing { table.removeSegments() }
    passing = []
  }

  func target(
    of link: Int,
    from row: Int64,
    to key: Int64
  ) throws -> (key: Int64, entityNumber: Int64)? {
    guard link < open.count, let objects = open[link] else { return nil }
    switch objects {
    case .held(let tables):
      for (table, entityNumber) in tables {
        if let object = table.destinationKey(of: key) { return (object, entityNumber) }
      }
    case .ordered(let keys, let entityNumbers):
      do {
        if let object = try keys.destinationKey(of: row) {
          return (object, try entityNumbers.destinationKey(of: row) ?? 0)
        }
      } catch {
        failure = error
        throw error
      }
    }
    return nil
  }

  private func sides(
    of mapping: InstanceMapping
  ) -> [(number: Int, side: LinkedRelationship.Assignment, relationship: LinkedRelationship)] {
    relationships.flatMap { number, relationship in
      relationship.assignments.filter { $0.mapping.index == mapping.index && $0.query != nil }
        .map { (number, $0, relationship) }
    }
  }

  /// The associations of all makers of a side in the order in which these are used; `nil` if there is no
  /// space for them, or if a source object that has objects of several makers must not give several.
  private func hold(
    _ side: LinkedRelationship.Assignment,
    beside bytes: Int
  ) throws -> [(table: HeldAssociations, entityNumber: Int64)]? {
    var result: [(table: HeldAssociations, entityNumber: Int64)] = []
    var bytes = bytes
    // Objects that several mappings share count as those of the first.
    let makers = side.makers.sorted { ($0.firstSharing, $0.index) < ($1.firstSharing, $1.index) }
    for maker in makers {
      guard let table = try associations.hold(maker.index, beside: bytes) else { return nil }
      let others = zip(makers, result).filter { $0.0.sourceNumber == maker.sourceNumber }
      if side.takesOne, others.contains(where: { $0.1.table.hasSourceKeys(of: table) }) {
        return nil
      }
      bytes += table.memoryUse
      result.append((table, maker.destinationNumber))
    }
    return result
  }
}
