internal import BulkCoding
internal import BulkSQLite

package struct SchemaTrigger: Hashable, Sendable {
  package let name: String
  /// As Core Data writes it.
  package let sql: String

  init(_ name: String, after event: String, on table: String, when: String? = nil, do body: String)
  {
    self.name = name
    let condition = when.map { " WHEN (\($0))" } ?? ""
    sql =
      "CREATE TRIGGER \(SchemaSQL.name(name)) AFTER \(event) ON \(SchemaSQL.name(table)) "
      + "FOR EACH ROW\(condition) BEGIN \(body) END"
  }
}

extension DerivedAttribute {
  package static let triggerPrefix = "Z_DA_"

  /// The triggers that update the value.
  ///
  /// They call functions that exist only in Core Data: they are made last, and never fire here. Stores of Core Data were seen
  /// with those of counts and of plain paths; the others are written in their manner, with the names that Core Data gives
  /// (formats/store.md 9.2).
  package var triggers: [SchemaTrigger] {
    switch derivation {
    case .now, .random: ownTriggers(of: "Z_OPT")
    case .value(let column, nil, _): ownTriggers(of: SchemaSQL.name(column))
    case .value(let column, let rows?, let function):
      lookupTriggers(rows, function, SchemaSQL.name(column))
    case .members(let rows, let aggregate, let column):
      switch aggregate {
      case .count, .sum: totalTriggers(rows, aggregate, column.map(SchemaSQL.name))
      case .least, .greatest: extremeTriggers(rows, aggregate, column)
      }
    }
  }

  private func ownTriggers(of column: String) -> [SchemaTrigger] {
    [
      sourceTrigger("INSERT", "INSERT", function: "InsertUpdated"),
      sourceTrigger("UPDATE", "UPDATE OF \(column)", function: "Updated"),
    ]
  }

  private func lookupTriggers(
    _ rows: RelationshipRows,
    _ function: TextFunction?,
    _ column: String
  ) -> [SchemaTrigger] {
    let key = SchemaSQL.name(rows.farColumn)
    let value = function.sql("NEW.\(column)")
    func parameterTrigger(_ what: String, _ event: String, _ function: String) -> SchemaTrigger {
      trigger(
        "PARAMETER_\(what)",
        after: event,
        on: rows.farTable,
        do: update(value, where: "\(key) = NEW.Z_PK", function: function)
      )
    }
    return [
      sourceTrigger("SOURCE_INSERT", "INSERT", function: "InsertUpdated"),
      sourceTrigger("SOURCE_UPDATE", "UPDATE OF \(key)", function: "Updated"),
      parameterTrigger("INSERT", "INSERT", "InsertUpdated"),
      parameterTrigger("UPDATE", "UPDATE OF \(column)", "Updated"),
    ]
  }

  private func totalTriggers(
    _ rows: RelationshipRows,
    _ aggregate: Aggregate,
    _ column: String?
  ) -> [SchemaTrigger] {
    let value = SchemaSQL.name(self.column)
    func part(_ row: String) -> String {
      guard let column else { return "1" }
      return aggregate == .sum ? "IFNULL(\(row).\(column), 0)" : "(\(row).\(column) NOT NULL)"
    }
    let (more, less) = ("\(value) + \(part("NEW"))", "\(value) - \(part("OLD"))")
    let update = "UPDATE OF \([SchemaSQL.name(rows.nearColumn), column].joined)"
    // Pairs are made and deleted, never changed.
    let updates =
      rows.isJoinTable
      ? []
      : [
        memberTrigger("PARAMETER_UPDATE_INCREMENT", after: update, of: rows, row: "NEW", more),
        memberTrigger("PARAMETER_UPDATE_DECREMENT", after: update, of: rows, row: "OLD", less),
      ]
    let insertion = memberTrigger(
      "PARAMETER_INSERT",
      after: "INSERT",
      of: rows,
      row: "NEW",
      "IFNULL(\(value), 0) + \(part("NEW"))"
    )
    return [insertion] + updates + [
      memberTrigger("PARAMETER_DELETE", after: "DELETE", of: rows, row: "OLD", less),
      sourceTrigger("SOURCE_INSERT", "INSERT", function: "InsertUpdated"),
    ]
  }

  private func extremeTriggers(
    _ rows: RelationshipRows,
    _ aggregate: Aggregate,
    _ column: String?
  ) -> [SchemaTrigger] {
    let near = SchemaSQL.name(rows.nearColumn)
    func extremeTrigger(_ what: String, _ event: String, row: String) -> SchemaTrigger {
      let value = rows.total(aggregate, of: column, owner: "\(row).\(near)")
      return memberTrigger(what, after: event, of: rows, row: row, value)
    }
    let update = "UPDATE OF \([near, column.map(SchemaSQL.name)].joined)"
    // Among objects of one table, the name is that of the members' trigger.
    let ownName = rows.table == table ? "SOURCE_INSERT" : "INSERT"
    return [
      extremeTrigger("INSERT", "INSERT", row: "NEW"),
      extremeTrigger("UPDATE_SET", update, row: "NEW"),
      extremeTrigger("UPDATE_UNSET", update, row: "OLD"),
      extremeTrigger("DELETE", "DELETE", row: "OLD"),
      sourceTrigger(ownName, "INSERT", function: "InsertUpdated"),
    ]
  }

  /// A trigger on the rows of members, which sets their owner's value.
  private func memberTrigger(
    _ what: String,
    after event: String,
    of rows: RelationshipRows,
    row: String,
    _ value: String
  ) -> SchemaTrigger {
    let key = "\(row).\(SchemaSQL.name(rows.nearColumn))"
    let owner =
      rows.isSymmetric
      ? "Z_PK IN (\(key), \(row).\(SchemaSQL.name(rows.farColumn)))" : "Z_PK = \(key)"
    return trigger(
      what,
      after: event,
      on: rows.table,
      when: "\(key) NOT NULL",
      do: update(value, where: owner, function: "Updated")
    )
  }

  private func sourceTrigger(_ what: String, _ event: String, function: String) -> SchemaTrigger {
    trigger(
      what,
      after: event,
      on: table,
      when: sharesTable ? entityCondition("NEW.Z_ENT") : nil,
      do: update(value(ofRow: "NEW"), where: "Z_PK = NEW.Z_PK", function: function)
    )
  }

  private func trigger(
    _ what: String,
    after event: String,
    on table: String,
    when condition: String? = nil,
    do body: String
  ) -> SchemaTrigger {
    let name = "\(Self.triggerPrefix)\(table)_\(key.entity)_\(key.property)_\(what)"
    return SchemaTrigger(name, after: event, on: table, when: condition, do: body)
  }

  private func update(_ value: String, where condition: String, function: String) -> String {
    let own = SchemaSQL.name(table)
    let column = SchemaSQL.name(self.column)
    let rows = sharesTable ? "\(condition) AND \(entityCondition("Z_ENT"))" : condition
    return "UPDATE \(own) SET \(column) = \(value) WHERE \(rows); "
      + "SELECT NSCoreDataDATrigger\(function)AffectedObjectValue("
      + "\(SQLText.quoted(literal: table)), Z_ENT, Z_PK, \(SQLText.quoted(literal: key.property)), "
      + "\(column)) FROM \(own) WHERE \(rows);"
  }

  private func entityCondition(_ number: String) -> String {
    "\(entityNumbers.lowerBound) <= \(number) AND \(number) <= \(entityNumbers.upperBound)"
  }
}

extension [String?] {
  fileprivate var joined: String { compactMap(\.self).joined(separator: ", ") }
}
