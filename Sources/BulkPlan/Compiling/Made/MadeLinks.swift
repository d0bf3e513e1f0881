package import BulkStore

extension InstanceMapping {
  fileprivate func keys(from source: ColumnExpression) -> RowMatch.Key {
    isListed ? .listed(source, mapping: index) : .shifted(source, by: keyOffset)
  }

  fileprivate static func keys(
    of mappings: [InstanceMapping],
    from source: ColumnExpression
  ) -> [RowMatch.Key] {
    mappings.map { $0.keys(from: source) }
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Whether only its association table shows which objects it made from a source object.
  package var isListed: Bool { !derivesKeys || isMerging }

  /// The number of a second list of source objects, beside that of its associations.
  ///
  /// A source object is in it if it is in the files of rejects, or if a policy turned it into an object of another table.
  package var otherNumber: Int { ~index }

  /// The condition that the mapping made an object from the source object with a key.
  package func whereMade(from source: ColumnExpression) -> [ColumnExpression] {
    [
      .partner(key: source, table: sourceTable, entityIn: [sourceNumber]),
      .matches(RowMatch(.destination, destinationTable).with("Z_PK", [keys(from: source)])),
    ]
  }
}

extension InstanceWork {
  /// Conditions for an object having been made from the row of a source table with a key: one of
  /// them holds.
  ///
  /// Mappings that share a range of keys read different entities of the same table, so the keys
  /// alone identify the object.
  package func whereMade(
    from key: ColumnExpression,
    in table: String
  ) -> [[ColumnExpression]] {
    let mappings = creations.map(\.mapping).filter { $0.sourceTable == table }
    return Dictionary(grouping: mappings, by: \.destinationTable).sorted { $0.key < $1.key }
      .map { destination, mappings in
        let row = RowMatch(.destination, destination)
        return [.matches(row.with("Z_PK", InstanceMapping.keys(of: mappings, from: key)))]
      }
  }
}

extension LinkedRelationship {
  /// Conditions for a link of two source objects having been carried: one of them holds.
  ///
  /// The object that the mapping of an assignment made from the first has, at its end, one that a maker made from the
  /// second.
  package func carries(
    from near: ColumnExpression,
    to far: ColumnExpression,
    by assignment: Assignment
  ) -> [[ColumnExpression]] {
    let own = InstanceMapping.keys(of: [assignment.mapping], from: near)
    let others = InstanceMapping.keys(of: assignment.makers, from: far)
    let isFirst = assignment.end == .first
    return switch storage {
    case .rows(let all):
      all.map { columns in
        let row = RowMatch(.destination, columns.table)
        return columns.end == assignment.end
          ? [.matches(row.with("Z_PK", own).with(columns.key, others))]
          : [.matches(row.with("Z_PK", others).with(columns.key, own))]
      }
    case .pairs(let table):
      (form.isSelfInverse ? [true, false] : [isFirst]).map { isOwner in
        let row = RowMatch(.destination, table.name)
        return [
          .matches(
            row.with(table.ownerColumn, isOwner ? own : others)
              .with(table.memberColumn, isOwner ? others : own)
          )
        ]
      }
    }
  }
}
