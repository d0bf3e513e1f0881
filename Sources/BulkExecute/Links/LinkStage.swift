internal import BulkLowering
internal import BulkAssociation
internal import BulkPlan
internal import BulkStore

/// Sets the relationships that depend on all assignments to them and their inverses.
///
/// The assignments of all entity mappings become links between objects: each is followed from the key of a
/// source object to the objects made from it, by merging sorted links with association tables. Sorted again
/// by the objects they connect, the links show which remain after the successive assignments. These are
/// written in the order of the rows.
struct LinkStage {
  private let session: StoreSession
  private let sink: any RowSink
  private let associations: AssociationTables
  private let mappings: [Int64: InstanceMapping]
  private let report: () throws -> Void

  /// Prepares the stage.
  ///
  /// - Parameters:
  ///   - work: The work of the migration.
  ///   - session: The session that reads both stores.
  ///   - sink: Where pairs are written.
  ///   - associations: The association tables.
  ///   - report: Called regularly while the stage runs.
  init(
    _ work: MigrationWork,
    _ session: StoreSession,
    into sink: any RowSink,
    associations: AssociationTables,
    _ report: @escaping () throws -> Void
  ) {
    self.session = session
    self.sink = sink
    self.associations = associations
    self.report = report
    mappings = work.instances.mappingsByIndex
  }

  /// Sets a relationship of all objects.
  func set(_ relationship: LinkedRelationship) throws {
    let scratch = associations.scratch()
    let collector = LinkCollector(
      session,
      associations,
      in: scratch,
      report
    )
    let resolution = LinkResolution(relationship, scratch)
    let output = LinkOutput(
      relationship,
      mappings: mappings,
      session,
      into: sink,
      report
    )
    switch relationship.form {
    case .toOne:
      let links = try collector.links(of: relationship, .object(.first))
      try output.write(resolution.firstAssigned(links), .first)
    case .oneToMany:
      let links = try collector.links(of: relationship, .object(.second))
      try output.write(resolution.owners(links), .second)
    case .oneToOne:
      let links = try collector.links(of: relationship, .moment)
      let partners = try resolution.partners(links)
      try output.write(partners.first, .first)
      if !relationship.form.isSelfInverse { try output.write(partners.second, .second) }
    case .manyToMany:
      let links = try collector.links(of: relationship, .pair)
      try output.write(pairs: resolution.pairs(links))
    }
  }
}
