internal import BulkSQLite

extension DerivedAttribute {
  /// The triggers that update the value, character by character as Core Data writes them.
  ///
  /// They call functions that exist only in Core Data, so no row can be written here once they exist: they
  /// are made last.
  package var triggers: [SchemaTrigger] {
    switch derivation {
    case .count(let child, let foreignKey): countTriggers(child, foreignKey)
    case .lookup(let foreignKey, let other, let column):
      lookupTriggers(foreignKey, other, column)
    }
  }

  private func countTriggers(_ child: String, _ foreignKey: String) -> [SchemaTrigger] {
    let key = SchemaSQL.name(foreignKey)
    let value = SchemaSQL.name(column)
    func trigger(_ what: String, _ event: String, row: String, sum: String) -> SchemaTrigger {
      SchemaTrigger(
        name("PARAMETER_\(what)", on: child),
        after: event,
        on: child,
        when: "\(row).\(key) NOT NULL",
        do: update(sum, where: "Z_PK = \(row).\(key)", function: "Updated")
      )
    }
    let count =
      "(SELECT IFNULL(COUNT(\(key)), 0) FROM \(SchemaSQL.name(child)) WHERE \(key) = NEW.Z_PK)"
    return [
      trigger("INSERT", "INSERT", row: "NEW", sum: "IFNULL(\(value), 0) + 1"),
      trigger("UPDATE_INCREMENT", "UPDATE OF \(key)", row: "NEW", sum: "\(value) + 1"),
      trigger("UPDATE_DECREMENT", "UPDATE OF \(key)", row: "OLD", sum: "\(value) - 1"),
      trigger("DELETE", "DELETE", row: "OLD", sum: "\(value) - 1"),
      sourceTrigger("INSERT", "INSERT", count, function: "InsertUpdated"),
    ]
  }

  private func lookupTriggers(
    _ foreignKey: String,
    _ other: String,
    _ otherColumn: String
  ) -> [SchemaTrigger] {
    let key = SchemaSQL.name(foreignKey)
    let from = SchemaSQL.name(otherColumn)
    func trigger(_ what: String, _ event: String, function: String) -> SchemaTrigger {
      SchemaTrigger(
        name("PARAMETER_\(what)", on: other),
        after: event,
        on: other,
        do: update("NEW.\(from)", where: "\(key) = NEW.Z_PK", function: function)
      )
    }
    let value = "(SELECT \(from) FROM \(SchemaSQL.name(other)) WHERE Z_PK = NEW.\(key))"
    return [
      sourceTrigger("INSERT", "INSERT", value, function: "InsertUpdated"),
      sourceTrigger("UPDATE", "UPDATE OF \(key)", value, function: "Updated"),
      trigger("INSERT", "INSERT", function: "InsertUpdated"),
      trigger("UPDATE", "UPDATE OF \(from)", function: "Updated"),
    ]
  }

  private func sourceTrigger(
    _ what: String,
    _ event: String,
    _ value: String,
    function: String
  ) -> SchemaTrigger {
    SchemaTrigger(
      name("SOURCE_\(what)", on: table),
      after: event,
      on: table,
      when: sharesTable ? entityCondition("NEW.Z_ENT") : nil,
      do: update(value, where: "Z_PK = NEW.Z_PK", function: function)
    )
  }

  private func name(_ what: String, on table: String) -> String {
    "Z_DA_\(table)_\(key.entity)_\(key.property)_\(what)"
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

/// A trigger of a store.
package struct SchemaTrigger: Hashable, Sendable {
  /// The trigger's name.
  package let name: String
  /// The statement that makes it, as Core Data writes it.
  package let sql: String

  /// A trigger that runs a body after an event.
  init(_ name: String, after event: String, on table: String, when: String? = nil, do body: String)
  {
    self.name = name
    let condition = when.map { " WHEN (\($0))" } ?? ""
    sql =
      "CREATE TRIGGER \(SchemaSQL.name(name)) AFTER \(event) ON \(SchemaSQL.name(table)) "
      + "FOR EACH ROW\(condition) BEGIN \(body) END"
  }
}

/// A derived attribute whose value Core Data updates by triggers.
package struct DerivedAttribute: Hashable, Sendable {
  /// What the value is computed from.
  package enum Derivation: Hashable, Sendable {
    /// The number of rows of a table that refer to the row by a column.
    case count(table: String, foreignKey: String)
    /// A column of the row of another table to which a column of the row refers.
    case lookup(foreignKey: String, table: String, column: String)
  }

  /// The attribute.
  package let key: PropertyKey
  /// The table with the attribute's rows.
  package let table: String
  package let column: String
  /// What its value is computed from.
  package let derivation: Derivation
  /// The numbers of the attribute's entity and of those that inherit from it.
  package let entityNumbers: ClosedRange<Int64>
  /// Whether the table holds rows of other entities too.
  package let sharesTable: Bool

  /// The statement that computes the value of every row.
  var updateSQL: String {
    let own = SQLText.quoted(table)
    let value =
      switch derivation {
      case .count(let child, let foreignKey):
        "(SELECT count(*) FROM main.\(SQLText.quoted(child)) AS c "
          + "WHERE c.\(SQLText.quoted(foreignKey)) = \(own).Z_PK)"
      case .lookup(let foreignKey, let other, let column):
        "(SELECT \(SQLText.quoted(column)) FROM main.\(SQLText.quoted(other)) AS c "
          + "WHERE c.Z_PK = \(own).\(SQLText.quoted(foreignKey)))"
      }
    return "UPDATE main.\(own) SET \(SQLText.quoted(column)) = \(value) "
      + "WHERE Z_ENT BETWEEN \(entityNumbers.lowerBound) AND \(entityNumbers.upperBound)"
  }
}
