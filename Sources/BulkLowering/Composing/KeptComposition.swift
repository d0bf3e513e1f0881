internal import BulkStore

/// Composes a step with those before it where rows keep their keys throughout: the transfers of the last step
/// are expressed over the rows of the store.
struct KeptComposition {
  private let first: StepWork
  private let next: StepWork

  /// - Parameters:
  ///   - first: The steps so far.
  ///   - next: The work of the further step alone on the version after them.
  init(_ first: StepWork, _ next: StepWork) {
    (self.first, self.next) = (first, next)
  }

  /// The work of all steps.
  ///
  /// - Throws: ``FusionBarrier`` if the version must be made before the further step.
  func composed() throws(FusionBarrier) -> StepWork {
    try FusionBarrier.refuse(valuesOfCompleteVersion())
    let transfers = try TransferComposition(first.transfers, from: first.layout.schema)
      .composed(with: next.transfers)
    try FusionBarrier.refuse(unprovenConstraints(transfers))
    var result = next
    result.steps = first.steps + next.steps
    (result.layout, result.file) = (first.layout, first.file)
    result.successions = EntitySuccession.continued(first.successions, by: next.last)
    result.transfers = transfers
    result.transfers.underivable += first.transfers.underivable
    result.choices = first.choices + PartnerChoice.all(in: transfers, describedBy: next.transfers)
    result.externalColumns =
      first.externalColumns
      + ExternalColumn.all(in: transfers).filter { !first.externalColumns.contains($0) }
    result.firstRows = next.transfers.rowsByTable.compactMapValues { first.firstRows[$0.source] }
    result.entityCount = max(first.entityCount, next.entityCount)
    result.unmanagedTables = first.unmanagedTables.followed(by: next.unmanagedTables)
    result.unmanagedObjects = first.unmanagedObjects.followed(by: next.unmanagedObjects)
    return result
  }

  /// Values that are computed when all rows of the last version exist.
  private func valuesOfCompleteVersion() -> [String] {
    let name = first.last.name
    return first.transfers.orderings.map {
      "places in \($0.table).\($0.orderColumn) are given when all rows of \(name) are there"
    }
      + first.transfers.derivations.map {
        "\($0.key) is derived when all rows of \(name) are there"
      }
  }

  private func unprovenConstraints(_ transfers: TransferSet) -> [String] {
    let name = first.last.name
    return UniquenessProof(first.file).unproven(
      first.indexStyle.uniqueness,
      by: first.transfers,
      askedAgain: next.indexStyle.uniqueness,
      by: transfers
    ).map {
      "\($0.table) has unique \($0.columns.joined(separator: ", ")) in \(name) only, "
        + "which rows of \(name) must show"
    }
  }
}
