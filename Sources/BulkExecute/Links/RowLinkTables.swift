internal import BulkAssociation
internal import BulkLowering

/// Follows the links of all rows of a mapping before these are written, where the associations of the makers
/// are too large to be held.
final class RowLinkTables {
  private let run: StoreRun
  private let mappings: [Int64: InstanceMapping]
  private let several: SeveralObjects
  private let report: () throws -> Void
  private var passing: [AssociationTable] = []

  init(_ run: StoreRun, _ report: @escaping () throws -> Void) {
    self.run = run
    mappings = run.work.instances.mappingsByIndex
    several = SeveralObjects(run)
    self.report = report
  }

  /// The object of each source row of a side, and the number of its entity, as association tables.
  func tables(
    of side: LinkedRelationship.Side,
    _ relationship: LinkedRelationship
  ) throws -> (keys: AssociationTable, entityNumbers: AssociationTable) {
    let associations = run.associations
    let collector = LinkCollector(run: run, scratch: associations.scratch(), report: report)
    let end = Link.End(side.end)
    let links = several.reported(try collector.rowLinks(of: side, relationship), of: relationship)
    var keys = try associations.passingWriter()
    var entityNumbers = try associations.passingWriter()
    var last: Int64?
    while let link = try links.next() {
      let row = link[end].source
      // A to-one relationship keeps the first of several objects.
      guard row != last else { continue }
      last = row
      let far = link[end.other]
      let entityNumber = mappings[far.maker]?.destinationNumber ?? 0
      try keys.append(AssociationRun(sourceKey: row, destinationKey: far.object))
      try entityNumbers.append(AssociationRun(sourceKey: row, destinationKey: entityNumber))
    }
    passing.append(try keys.finish())
    passing.append(try entityNumbers.finish())
    return (passing[passing.count - 2], passing[passing.count - 1])
  }

  func removeTables() {
    for table in passing { table.removeSegments() }
    passing = []
  }
}
