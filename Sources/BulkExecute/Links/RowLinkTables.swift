internal import BulkAssociation
internal import BulkLowering
internal import BulkStore

/// Follows the links of all rows of a mapping before these are written, where the associations of the makers
/// are too large to be held.
final class RowLinkTables {
  private let session: StoreSession
  private let associations: AssociationTables
  private let mappings: [Int64: InstanceMapping]
  private let several: SeveralObjects
  private let report: () throws -> Void
  private var passing: [PassingTable] = []

  init(
    _ session: StoreSession,
    _ associations: AssociationTables,
    mappings: [Int64: InstanceMapping],
    violations: ViolationReport,
    _ report: @escaping () throws -> Void
  ) {
    self.session = session
    self.associations = associations
    self.mappings = mappings
    several = SeveralObjects(mappings, session, to: violations)
    self.report = report
  }

  /// The object of each source row of a side, and the number of its entity, as association tables.
  func tables(
    of side: LinkedRelationship.Side,
    _ relationship: LinkedRelationship
  ) throws -> (keys: AssociationTable, entityNumbers: AssociationTable) {
    let collector = LinkCollector(
      session,
      associations,
      in: associations.scratch(),
      report
    )
    let end = Link.End(side.end)
    let links = several.reported(try collector.rowLinks(of: side, relationship), of: relationship)
    let (keys, entityNumbers) = (try associations.passingTable(), try associations.passingTable())
    passing += [keys, entityNumbers]
    var last: Int64?
    while let link = try links.next() {
      let row = link[end].source
      // A to-one relationship keeps the first of several objects.
      guard row != last else { continue }
      last = row
      try keys.append(row, link[end.other].object)
      try entityNumbers.append(
        row,
        mappings[link[end.other].maker]?.destinationNumber ?? 0
      )
    }
    return (try keys.finished(), try entityNumbers.finished())
  }

  /// Removes the files of all tables.
  func removeTables() {
    for table in passing { table.remove() }
    passing = []
  }
}
