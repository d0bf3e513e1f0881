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

  private unowned let run: Run
  private var passing: [AssociationTable] = []
  /// By the numbers of the links.
  private var open: [Objects?] = []
  /// The mappings that make the objects of groups and whose groups were used.
  private var grouped: Set<Int> = []
  /// The fault, which SQLite reports in its own way.
  private(set) var failure: (any Error)?

  init(in run: Run) { self.run = run }

  func makers(for mapping: InstanceMapping) -> [InstanceMapping] {
    assignments(by: mapping).flatMap(\.assignment.makers)
  }

  /// Whether the groups of a mapping's source objects are used for the first time.
  func isFirstTime(_ mapping: InstanceMapping) -> Bool { grouped.insert(mapping.index).inserted }

  /// The associations of the mapping's makers are known.
  func begin(_ mapping: InstanceMapping) throws {
    failure = nil
    var bytes = 0
    for (number, assignment, relationship) in assignments(by: mapping) {
      while open.count <= number { open.append(nil) }
      if let held = try hold(assignment, beside: bytes) {
        bytes += held.reduce(0) { $0 + $1.table.memoryUse }
        open[number] = .held(held)
      } else {
        let tables = try run.linkTables(of: assignment, relationship)
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

  private func assignments(
    by mapping: InstanceMapping
  ) -> [(
    number: Int, assignment: LinkedRelationship.Assignment, relationship: LinkedRelationship
  )] {
    run.work.instances.links.flatMap { relationship in
      relationship.rowNumber.map { number in
        relationship.assignments.filter { $0.mapping.index == mapping.index && $0.query != nil }
          .map { (number, $0, relationship) }
      } ?? []
    }
  }

  /// The associations of all makers of an assignment in the order in which these are used; `nil` if there is no
  /// space for them, or if a source object that has objects of several makers must not give several.
  private func hold(
    _ assignment: LinkedRelationship.Assignment,
    beside bytes: Int
  ) throws -> [(table: HeldAssociations, entityNumber: Int64)]? {
    var result: [(table: HeldAssociations, entityNumber: Int64)] = []
    var bytes = bytes
    // Objects that several mappings share count as those of the first.
    let makers = assignment.makers.sorted {
      ($0.firstSharing, $0.index) < ($1.firstSharing, $1.index)
    }
    for maker in makers {
      guard let table = try run.associations.hold(maker.index, beside: bytes) else { return nil }
      let others = zip(makers, result).filter { $0.0.sourceNumber == maker.sourceNumber }
      if assignment.takesOne, others.contains(where: { $0.1.table.hasSourceKeys(of: table) }) {
        return nil
      }
      bytes += table.memoryUse
      result.append((table, maker.destinationNumber))
    }
    return result
  }
}
