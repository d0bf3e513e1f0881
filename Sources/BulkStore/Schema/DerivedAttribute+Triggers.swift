internal import BulkSupport
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
    let insertion = sourceTrigger("SOURCE_INSERT", "INSERT")
    switch derivation {
    case .now, .random:
      return [sourceTrigger("INSERT", "INSERT"), sourceTrigger("UPDATE", "UPDATE OF Z_OPT")]
    case .value(let column, nil, _):
      let update = "UPDATE OF \(SchemaSQL.name(column))"
      return [sourceTrigger("INSERT", "INSERT"), sourceTrigger("UPDATE", update)]
    case .value(let column, let rows?, let function):
      let (key, name) = (SchemaSQL.name(rows.farColumn), SchemaSQL.name(column))
      let parameters = [("INSERT", "INSERT"), ("UPDATE", "UPDATE OF \(name)")].map {
        trigger(
          "PARAMETER_\($0)",
          after: $1,
          on: rows.farTable,
          function.sql("NEW.\(name)"),
          where: "\(key) = NEW.Z_PK",
          isInsertion: $1 == "INSERT"
        )
      }
      return [insertion, sourceTrigger("SOURCE_UPDATE", "UPDATE OF \(key)")] + parameters
    case .members(let rows, let aggregate, let column):
      let names = [SchemaSQL.name(rows.nearColumn), column.map(SchemaSQL.name)].compactMap(\.self)
      let update = "UPDATE OF \(names.joined(separator: ", "))"
      switch aggregate {
      case .count, .sum: return memberTriggers(rows, aggregate, names, update) + [insertion]
      case .least, .greatest:
        let rest = [
          ("INSERT", "INSERT", "NEW"), ("UPDATE_SET", update, "NEW"),
          ("UPDATE_UNSET", update, "OLD"),
          ("DELETE", "DELETE", "OLD"),
        ].map { what, event, row in
          let value = rows.total(aggregate, of: column, owner: "\(row).\(names[0])")
          return memberTrigger(what, after: event, of: rows, row: row, value)
        }
        // Among objects of one table, the name is that of the members' trigger.
        return rest + [rows.table == table ? insertion : sourceTrigger("INSERT", "INSERT")]
      }
    }
  }

  /// Those of a count or a sum, which changes with each member; the column of the owner's key is the first name.
  private func memberTriggers(
    _ rows: RelationshipRows,
    _ aggregate: Aggregate,
    _ names: [String],
    _ update: String
  ) -> [SchemaTrigger] {
    let value = SchemaSQL.name(column)
    func part(_ row: String) -> String {
      guard names.count > 1 else { return "1" }
      return aggregate == .sum ? "IFNULL(\(row).\(names[1]), 0)" : "(\(row).\(names[1]) NOT NULL)"
    }
    let (more, less) = ("\(value) + \(part("NEW"))", "\(value) - \(part("OLD"))")
    let all = [
      ("PARAMETER_INSERT", "INSERT", "NEW", "IFNULL(\(value), 0) + \(part("NEW"))"),
      ("PARAMETER_UPDATE_INCREMENT", update, "NEW", more),
      ("PARAMETER_UPDATE_DECREMENT", update, "OLD", less),
      ("PARAMETER_DELETE", "DELETE", "OLD", less),
    ]
    // Pairs are made and deleted, never changed.
    return all.filter { !rows.isJoinTable || $0.1 != update }
      .map { memberTrigger($0, after: $1, of: rows, row: $2, $3) }
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
      value,
      where: owner,
      isInsertion: false
    )
  }

  /// A trigger on the rows of the attribute's own objects.
  private func sourceTrigger(_ what: String, _ event: String) -> SchemaTrigger {
    trigger(
      what,
      after: event,
      on: table,
      when: sharesTable ? entityCondition("NEW.Z_ENT") : nil,
      value(ofRow: "NEW"),
      where: "Z_PK = NEW.Z_PK",
      isInsertion: event == "INSERT"
    )
  }

  /// A trigger that sets the value of the rows that satisfy a condition.
  private func trigger(
    _ what: String,
    after event: String,
    on changed: String,
    when: String? = nil,
    _ value: String,
    where condition: String,
    isInsertion: Bool
  ) -> SchemaTrigger {
    let own = SchemaSQL.name(table)
    let column = SchemaSQL.name(self.column)
    let rows = sharesTable ? "\(condition) AND \(entityCondition("Z_ENT"))" : condition
    let function = isInsertion ? "InsertUpdated" : "Updated"
    return SchemaTrigger(
      "\(Self.triggerPrefix)\(changed)_\(key.entity)_\(key.property)_\(what)",
      after: event,
      on: changed,
      when: when,
      do: "UPDATE \(own) SET \(column) = \(value) WHERE \(rows); "
        + "SELECT NSCoreDataDATrigger\(function)AffectedObjectValue("
        + "\(SQLText.quoted(literal: table)), Z_ENT, Z_PK, \(SQLText.quoted(literal: key.property)), "
        + "\(column)) FROM \(own) WHERE \(rows);"
    )
  }

  private func entityCondition(_ number: String) -> String {
    "\(entityNumbers.lowerBound) <= \(number) AND \(number) <= \(entityNumbers.upperBound)"
  }
}
