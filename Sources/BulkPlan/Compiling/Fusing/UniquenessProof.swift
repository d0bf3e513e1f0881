internal import BulkStore

/// Finds the uniqueness constraints that can be checked only if the version between two steps is made.
///
/// In single steps, rows that violate a constraint end the migration at the version that has it. A version
/// that is not made checks nothing, so its constraints must follow from the source store, or be checked for
/// the same rows by the next version.
struct UniquenessProof {
  /// A constraint: columns of a table that must not be equal in two rows.
  struct Constraint: Hashable {
    let table: String
    let columns: [String]
  }

  private let file: FileSchema

  package init(_ file: FileSchema) { self.file = file }

  /// Those that neither the store nor the next version has, so that only its rows can prove them.
  func unproven(
    _ version: [Constraint],
    by before: TransferSet,
    askedAgain next: [Constraint] = [],
    by after: TransferSet = TransferSet()
  ) -> [Constraint] {
    let required = Set(next.compactMap { Meaning($0, after) })
    return version.filter { constraint in
      guard let meaning = Meaning(constraint, before) else { return false }
      return !required.contains(meaning) && !isHeld(meaning)
    }
  }

  private func isHeld(_ meaning: Meaning) -> Bool {
    let columns = meaning.values.compactMap { value -> String? in
      if case .column(let name) = value { name.uppercased() } else { nil }
    }
    return columns.count == meaning.values.count
      && file.indexSignatures.contains {
        $0.isUnique && $0.condition == nil && $0.table == meaning.table.uppercased()
          && $0.terms.map(\.column) == columns
      }
  }

  /// A constraint in terms of the store: rows of a table that must not be equal in some values.
  private struct Meaning: Hashable {
    let table: String
    let conditions: [ColumnExpression]
    let values: [ColumnExpression]

    /// `nil` where no row can violate it.
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

extension UniquenessProof.Constraint {
  package init(_ index: SchemaIndex) {
    self.init(table: index.table, columns: index.terms.map(\.column))
  }
}

extension IndexStyle {
  var uniqueness: [UniquenessProof.Constraint] {
    let inIndexes = indexes.filter(\.isUnique).map { UniquenessProof.Constraint($0) }
    let inTables = constraints.flatMap { table, all in
      all.map { UniquenessProof.Constraint(table: table, columns: $0) }
    }
    return inIndexes
      + inTables.sorted { ($0.table, $0.columns.joined()) < ($1.table, $1.columns.joined()) }
  }
}
