internal import BulkModel
package import BulkStore

/// Tells which uniqueness constraints of a version between two steps need that the version is made.
///
/// Step by step, rows that stand against a constraint end the migration at the version that has it. A
/// version that is not made holds nothing against anything, so what it asks must follow from the store
/// that is read, or be asked again by the next version of the same rows.
package struct UniquenessProof {
  /// A constraint, as columns of a table that may not be equal in two rows.
  package struct Constraint: Hashable {
    let table: String
    let columns: [String]

    package init(table: String, columns: [String]) {
      self.table = table
      self.columns = columns
    }
  }

  private let file: FileSchema

  /// - Parameter file: The tables of the store that is read.
  package init(_ file: FileSchema) { self.file = file }

  /// The constraints of a version that neither the store nor the next version has.
  ///
  /// - Parameters:
  ///   - version: The constraints of the version.
  ///   - before: What makes its rows, from the store.
  ///   - next: The constraints of the next version.
  ///   - after: What makes its rows, from the store.
  /// - Returns: The constraints that only rows of the version can show to be kept.
  package func open(
    _ version: [Constraint],
    _ before: TransferSet,
    _ next: [Constraint],
    _ after: TransferSet
  ) -> [Constraint] {
    let asked = Set(next.compactMap { Meaning($0, after) })
    return version.filter { constraint in
      guard let meaning = Meaning(constraint, before) else { return false }
      return !asked.contains(meaning) && !isHeld(meaning)
    }
  }

  /// Whether the store itself has a constraint over the same columns.
  private func isHeld(_ meaning: Meaning) -> Bool {
    let columns = meaning.values.map { value -> String? in
      if case .column(let name) = value { name.uppercased() } else { nil }
    }
    let signatures = file.objects.compactMap(\.signature).filter {
      $0.isUnique && $0.condition == nil && $0.table == meaning.table.uppercased()
    }
    let stated = file.table(named: meaning.table)?.uniqueConstraints ?? []
    return signatures.contains { $0.terms.map(\.column) == columns }
      || stated.contains { $0.map { $0.uppercased() } == columns }
  }

  /// A constraint in terms of the store: which rows of which table may not be equal in what.
  private struct Meaning: Hashable {
    let table: String
    let conditions: [RowTransfer.Condition]
    let values: [ColumnExpression]

    /// `nil` where no row can stand against it.
    init?(_ constraint: Constraint, _ transfers: TransferSet) {
      let transfer = transfers.entityRows.first { $0.destination == constraint.table }
      guard let transfer else { return nil }
      let values = constraint.columns.map { transfer.value(of: $0) }
      guard !values.contains(.null) else { return nil }
      table = transfer.source
      conditions = transfer.conditions
      self.values = values
    }
  }
}

extension IndexStyle {
  /// The uniqueness constraints, in indexes and in tables' statements.
  var uniqueness: [UniquenessProof.Constraint] {
    let inIndexes = indexes.filter(\.isUnique)
      .map { UniquenessProof.Constraint(table: $0.table, columns: $0.terms.map(\.column)) }
    let inTables = constraints.flatMap { table, all in
      all.map { UniquenessProof.Constraint(table: table, columns: $0) }
    }
    return inIndexes
      + inTables.sorted { ($0.table, $0.columns.joined()) < ($1.table, $1.columns.joined()) }
  }
}
