internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Counts the rows that violate uniqueness constraints which the source does not have: they end the migration
/// when all its rows are written.
struct UniquenessWarnings {
  /// The maximum number of rows to compare with each other; more take longer than a plan may.
  private static let rowLimit: Int64 = 10_000_000
  private static let shown = 5

  let work: MigrationWork
  let counts: RowCounts

  private struct Rows {
    var transfers: [RowTransfer] = []
    /// Whether some of the rows may not be made.
    var isUpperBound = false
    /// Whether a value is unknown before the run.
    var isOpen = false
  }

  /// The warnings, a sentence for each constraint.
  func warnings() throws(StoreError) -> [String] {
    var result: [String] = []
    for index in work.indexStyle.indexes where index.isUnique && index.condition == nil {
      if let warning = try warning(of: index) { result.append(warning) }
    }
    return result
  }

  private func warning(of index: SchemaIndex) throws(StoreError) -> String? {
    let rows = rows(of: index)
    let columns = index.terms.map(\.column)
    let schema = work.layout.schema
    let count = rows.transfers.reduce(0) { $0 + counts.rows(of: $1.source, schema) }
    guard count > 1, rows.isOpen || !isHeld(index, rows.transfers) else { return nil }
    guard !rows.isOpen, count <= Self.rowLimit else {
      return
        "\(subject(index)) must be unique in the destination; whether it is, only the run can tell"
    }
    let found = try work.store.repeatedValues(
      in: columns,
      of: rows.transfers,
      naming: Self.shown
    )
    guard found.count > 0 else { return nil }
    let isOne = found.count == 1
    return "\(subject(index)) must be unique in the destination, but "
      + (rows.isUpperBound ? "at most " : "")
      + "\(found.count) \(isOne ? "object has" : "objects have") the same as another: \(names(found)); "
      + (rows.isUpperBound
        ? "where one of them is left, the run makes nothing" : "the run will make nothing")
  }

  private func isHeld(_ index: SchemaIndex, _ transfers: [RowTransfer]) -> Bool {
    transfers.count < 2
      && UniquenessProof(work.store.schema).unproven([.init(index)], by: work.transfers).isEmpty
  }

  private func rows(of index: SchemaIndex) -> Rows {
    var rows = Rows()
    let names = Set(properties(index).map(\.property))
    for transfer in work.transfers.entityRows where transfer.destination == index.table {
      let creation = work.instances.creations.first { $0.transfer == transfer }
      // Objects that are found by attributes of the constraint never have the same.
      let rule = creation?.mapping.mapping.uniqueness
      if let rule, names.isSuperset(of: rule.attributes) { continue }
      let values = index.terms.map { transfer.value(of: $0.column) }
      let isMadeElsewhere =
        creation.map { !$0.mapping.derivesKeys } ?? false
        || (creation?.evaluations ?? []).contains { names.contains($0.attribute.name) }
      // Rows with a nil value differ from all others.
      guard isMadeElsewhere || !values.contains(.null) else { continue }
      rows.isOpen = rows.isOpen || isMadeElsewhere || !values.allSatisfy(\.followsFromRow)
      rows.isUpperBound = rows.isUpperBound || creation?.filter != nil
      let known = transfer.conditions.filter(\.followsFromRow)
      rows.isUpperBound = rows.isUpperBound || known.count < transfer.conditions.count
      rows.transfers.append(
        RowTransfer(
          to: transfer.destination,
          from: transfer.source,
          transfer.assignments,
          where: known
        )
      )
    }
    return rows
  }

  private func properties(_ index: SchemaIndex) -> [PropertyKey] {
    let table = work.destination.entityTable(named: index.table)
    return index.terms.compactMap { term in
      switch table?.columns.first(where: { $0.name == term.column })?.role {
      case .attribute(let key), .foreignKey(let key): key
      case .primaryKey, .entity, .version, .foreignEntity, .orderKey, .hiddenForeignKey,
        .hiddenOrderKey, .unmanaged, nil:
        nil
      }
    }
  }

  private func subject(_ index: SchemaIndex) -> String {
    let names = properties(index).map(\.description)
    return names.count == 1 ? names[0] : names.joined(separator: " and ") + " together"
  }

  private func names(_ found: RepeatedValues) -> String {
    let numbering = work.layout.schema.numbering
    let names = found.first.map { row in
      let entity = numbering.entities.first { numbering.number(of: $0.name) == row.entity }
      return "\(entity?.name ?? "entity \(row.entity)") \(row.key)"
    }
    return names.joined(separator: ", ") + (found.count > Int64(names.count) ? ", …" : "")
  }
}
