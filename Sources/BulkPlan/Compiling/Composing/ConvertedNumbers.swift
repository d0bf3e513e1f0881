internal import BulkMapping
internal import BulkModel
internal import BulkStore

// The affinity of a column converts numbers whose type an inferred step changes (formats/migration.md 2.6). Steps that
// are done as one have no columns between them.

extension MigrationStep {
  /// The attributes of an inferred step whose numbers the affinity of the new column converts, which no expression
  /// does, a sentence each.
  var convertedNumbers: [String] {
    guard isInferred else { return [] }
    return mapping.continuations(from: source, to: destination).flatMap { mapping, from, to in
      destination.attributes(of: to).compactMap { attribute in
        guard let name = mapping.takenAttribute(for: attribute.name),
          let old = source.leaf(named: name, of: from)?.attribute,
          old.attributeType != attribute.attributeType
        else { return nil }
        return "the column of \(to.name).\(attribute.name) in \(self.name) converts its numbers"
      }
    }
  }
}

extension StepWork {
  /// Columns that would get integers without the rounding of this version's columns of real numbers, a sentence each.
  func numbersRounded(before next: StepWork) -> [String] {
    let (before, after) = (layout.schema.realColumns, next.destination.realColumns)
    let between = next.layout.schema.realColumns
    return next.transfers.entityRows.flatMap { second -> [String] in
      guard let made = transfers.entityRows.first(where: { $0.destination == second.source })
      else { return [] }
      let integers = Set(
        made.assignments.filter { assignment in
          assignment.value.reads(inRowOf: made.source).contains { !before.contains($0) }
        }.map { StoredColumn($0.column, of: made.destination) }
      ).intersection(between)
      return second.assignments.filter { assignment in
        !after.contains(StoredColumn(assignment.column, of: second.destination))
          && !integers.isDisjoint(with: assignment.value.reads(inRowOf: second.source))
      }.map {
        "\(second.destination).\($0.column) gets numbers that \(last.name) rounds to real ones"
      }
    }
  }
}

extension StoreSchema {
  fileprivate var realColumns: Set<StoredColumn> {
    Set(
      entityTables.flatMap { table in
        table.columns.filter { $0.declaredType == "FLOAT" }
          .map { StoredColumn($0.name, of: table.name) }
      }
    )
  }
}
