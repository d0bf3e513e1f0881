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
  private let several: SeveralObjects
  private let report: () throws -> Void

  /// Prepares the stage.
  init(
    _ run: StoreRun,
    associations: AssociationTables,
    violations: ViolationReport,
    _ report: @escaping () throws -> Void
  ) {
    (session, sink) = (run.session, run.sink)
    self.associations = associations
    self.report = report
    mappings = run.work.instances.mappingsByIndex
    several = SeveralObjects(mappings, session, to: violations)
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
    func links(_ order: LinkOrder) throws -> SortedLinks {
      several.reported(try collector.links(of: relationship, order), of: relationship)
    }
    switch relationship.form {
    case .toOne:
      let links = try links(.object(.first))
      try output.write(resolution.firstAssigned(links), .first)
    case .oneToMany:
      let links = try links(.object(.second))
      try output.write(resolution.owners(links), .second)
    case .oneToOne:
      let links = try links(.moment)
      let partners = try resolution.partners(links)
      try output.write(partners.first, .first)
      if !relationship.form.isSelfInverse { try output.write(partners.second, .second) }
    case .manyToMany:
      let links = try collector.links(of: relationship, .pair)
      try output.write(pairs: resolution.pairs(links))
    }
  }
}
