internal import BulkAssociation
internal import BulkLowering
internal import BulkStore

/// Sets the relationships that depend on all assignments to them and their inverses.
///
/// The assignments of all entity mappings become links between objects: each is followed from the key of a
/// source object to the objects made from it, by merging sorted links with association tables. Sorted again
/// by the objects they connect, the links show which remain after the successive assignments. These are
/// written in the order of the rows.
final class LinkStage: StageState {
  private let run: StoreRun
  private let mappings: [Int64: InstanceMapping]
  private let several: SeveralObjects
  /// The transaction that wrote the last link of each relationship, also of those that an interrupted run has set.
  private var linked: [Int64] = []
  private let linkedBefore: [Int64]

  init(_ run: StoreRun, after checkpoint: Checkpoint?) {
    self.run = run
    mappings = run.work.instances.mappingsByIndex
    several = SeveralObjects(run)
    linkedBefore = checkpoint?.linked ?? []
  }

  func save(to checkpoint: inout Checkpoint) { checkpoint.linked = linked }

  /// Unless an interrupted run has done so.
  func set(_ relationship: LinkedRelationship, _ report: @escaping () throws -> Void) throws {
    let transactions = run.session.transactions
    if linked.count < linkedBefore.count {
      transactions.replay(through: linkedBefore[linked.count])
    } else {
      try assign(relationship, report)
    }
    linked.append(transactions.count)
  }

  private func assign(
    _ relationship: LinkedRelationship,
    _ report: @escaping () throws -> Void
  ) throws {
    let scratch = run.associations.scratch()
    let collector = LinkCollector(run: run, scratch: scratch, report: report)
    let resolution = LinkResolution(relationship, scratch)
    let output = LinkOutput(
      relationship: relationship,
      mappings: mappings,
      run: run,
      lookup: RowLookup(run.session),
      report: report
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
