internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// What one step or several do to a store in place, done as one: the store is read once, and of the
/// versions on the way none is made.
struct FusedWork: Sendable {
  /// The layout of the store that is read.
  let layout: StoreLayout
  /// The steps.
  private(set) var steps: [VersionStep]
  /// What becomes of every entity.
  private(set) var successions: [EntitySuccession]
  /// What moves the rows, from the store that is read into the last version.
  private(set) var transfers: TransferSet
  /// What is taken over although no model explains it.
  private(set) var carriage: Carriage
  /// The objects that are taken over although no model explains them.
  private(set) var objects: ObjectCarriage
  /// The partners that are chosen among several, and for which column.
  private(set) var choices: [PartnerChoice]
  /// The columns of the store whose values must not lie in files beside it.
  private(set) var externalColumns: [ExternalColumn]
  /// The rows among which the highest keys are looked for that a table ever gave out: those of the first
  /// version, by the table of the last one.
  private(set) var firstRows: [String: RowTransfer]
  /// The most entities that any version before the last one has.
  private(set) var entityCount: Int
  private var last: InPlaceWork
  /// The tables of the store that is read.
  let file: FileSchema

  /// The work of one step.
  init(_ hop: MigrationHop, of store: StoreOutline) throws(PlanError) {
    let first = try InPlaceWork(hop, of: store)
    last = first
    file = store.schema
    layout = first.layout
    steps = [first.step]
    successions = first.mapping.entityMappings.map { EntitySuccession($0, first.hop) }
    transfers = first.transfers
    carriage = first.carriage
    objects = first.objects
    choices = PartnerChoice.all(in: first.transfers, toldIn: first.transfers)
    externalColumns = ExternalColumn.all(in: first.transfers)
    firstRows = Dictionary(
      (first.transfers.entityRows + first.transfers.emptyTables).map { ($0.destination, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    entityCount = first.layout.schema.numbering.entities.count
  }

  /// The model of the store that is made, and its tables.
  var destination: StoreSchema { last.destination }

  /// The indexes and uniqueness constraints of the store that is made.
  var indexStyle: IndexStyle { last.indexStyle }

  /// What the store that is made looks like.
  func outline() throws(PlanError) -> StoreOutline { try last.outline() }

  /// The work with a further inferred step, done as one.
  ///
  /// - Returns: The work, or why the last version must be made before the step.
  /// - Throws: ``PlanError`` if the step cannot be done at all.
  func followed(by hop: MigrationHop) throws(PlanError) -> Result<FusedWork, FusionBarrier> {
    let next = try InPlaceWork(hop, of: try outline())
    do throws(FusionBarrier) {
      try refuse(lateValues())
      let composed = try TransferComposition(transfers, from: layout.schema)
        .composed(with: next.transfers)
      try refuse(openConstraints(next, composed))
      var result = self
      result.append(next, composed)
      return .success(result)
    } catch {
      return .failure(error)
    }
  }

  private mutating func append(_ next: InPlaceWork, _ composed: TransferSet) {
    steps.append(next.step)
    successions = EntitySuccession.continued(successions, by: next.hop, next.mapping)
    choices += PartnerChoice.all(in: composed, toldIn: next.transfers)
    externalColumns += ExternalColumn.all(in: composed).filter { !externalColumns.contains($0) }
    firstRows = Dictionary(
      (next.transfers.entityRows + next.transfers.emptyTables).compactMap { rows in
        firstRows[rows.source].map { (rows.destination, $0) }
      },
      uniquingKeysWith: { first, _ in first }
    )
    entityCount = max(entityCount, last.destination.numbering.entities.count)
    carriage = carriage.followed(by: next.carriage)
    objects = objects.followed(by: next.objects)
    let underivable = transfers.underivable
    transfers = composed
    transfers.underivable += underivable
    last = next
  }

  private func refuse(_ reasons: [String]) throws(FusionBarrier) {
    guard reasons.isEmpty else { throw FusionBarrier(reasons) }
  }

  /// Values that are made when the rows of the last version are all there.
  private func lateValues() -> [String] {
    transfers.orderings.map {
      "places in \($0.table).\($0.orderColumn) are given when all rows of \(last.hop.name) are there"
    }
      + transfers.derivations.map {
        "\($0.key) is derived when all rows of \(last.hop.name) are there"
      }
  }

  private func openConstraints(_ next: InPlaceWork, _ composed: TransferSet) -> [String] {
    UniquenessProof(file).open(
      last.indexStyle.uniqueness,
      transfers,
      next.indexStyle.uniqueness,
      composed
    ).map {
      "\($0.table) has unique \($0.columns.joined(separator: ", ")) in \(last.hop.name) only, "
        + "which rows of \(last.hop.name) must show"
    }
  }
}
