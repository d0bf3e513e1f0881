internal import BulkModel
internal import BulkSQLite

/// Finds the rows of the destination that violate rules of its model.
package struct ModelValidation {
  private let session: StoreSession
  private let schema: StoreSchema
  private let names: [Int64: String]
  /// The store beside which required external values must have their files; `nil` if all have.
  private let files: String?

  /// External values are beside another store.
  package init(_ schema: StoreSchema, _ session: StoreSession, files: String? = nil) {
    self.schema = schema
    self.session = session
    self.files = files
    names = Dictionary(
      firstOf: schema.numbering.entities.map { (schema.numbering.number(of: $0.name), $0.name) }
    )
  }

  /// Calls a body with every violation of a rule of the model in an entity table.
  ///
  /// Each table is read once for every 200 rules; only one row is held. ``StoreSchema/uncheckedRules`` lists
  /// the rules that cannot be checked.
  ///
  /// The body gets the violations row by row in the order of the keys. `isFilled` returns whether a
  /// column of an attribute is known to be NULL in no row.
  package func violations(
    in table: EntityTable,
    _ scope: RuleScope = .all,
    whereFilled isFilled: (String) -> Bool = { _ in false },
    _ body: (Violation) throws -> Void
  ) throws {
    let all = ValidationRules(table, of: schema, files: files).rules.filter { rule in
      scope.contains(rule) && rule.requiredColumn.map(isFilled) != true
    }
    guard !all.isEmpty else { return }
    let rulesAtOnce = 200
    for first in stride(from: 0, to: all.count, by: rulesAtOnce) {
      let rules = Array(all[first..<min(first + rulesAtOnce, all.count)])
      try violations(of: rules, in: table, body)
    }
  }

  private func violations(
    of rules: [ValidationRule],
    in table: EntityTable,
    _ body: (Violation) throws -> Void
  ) throws {
    let sql =
      "SELECT d.Z_PK, d.Z_ENT, "
      + rules.map { "CASE WHEN \($0.sql) THEN 1 END, \($0.value)" }.joined(separator: ", ")
      + " FROM main.\(SQLText.quoted(table.name)) AS d WHERE "
      + rules.map { "(\($0.sql))" }.joined(separator: " OR ")
    try session.rows(of: sql) { row in
      for (index, rule) in rules.enumerated() {
        let column = 2 + 2 * Int32(index)
        guard row.int64(at: column) == 1,
          let text = rule.violation(by: row.value(at: column + 1), session.work)
        else { continue }
        try session.endIfStopped()
        try body(
          Violation(
            entity: name(of: row.int64(at: 1)),
            key: row.int64(at: 0),
            property: rule.property,
            rule: text,
            value: row.value(at: column + 1).shortText
          )
        )
      }
    }
  }

  /// Calls a body with the rows that repeat the values of a row before them in the columns of a unique
  /// index.
  package func duplicates(against index: SchemaIndex, _ body: (Violation) throws -> Void) throws {
    let columns = index.terms.map(\.column).map { SQLText.quoted($0) }
    guard !columns.isEmpty else { return }
    let list = columns.joined(separator: ", ")
    // Rows with NULL repeat nothing, so they are not sorted either.
    let sql =
      "SELECT Z_PK, Z_ENT, \(list) FROM main.\(SQLText.quoted(index.table)) "
      + "WHERE \(columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")) "
      + "ORDER BY \(list), Z_PK"
    let resultColumns = 2..<2 + Int32(columns.count)
    var former: GroupDigest?
    try session.rows(of: sql) { row in
      let digest = GroupDigest(of: row, resultColumns)
      defer { former = digest }
      guard digest == former else { return }
      let values = resultColumns.map { row.value(at: $0).shortText ?? "nil" }
      try body(
        Violation(
          entity: name(of: row.int64(at: 1)),
          key: row.int64(at: 0),
          property: schema.properties(of: index).joined(separator: ", "),
          rule: Violation.uniquenessRule,
          value: values.joined(separator: ", ")
        )
      )
    }
  }

  private func name(of number: Int64) -> String { names[number] ?? "entity \(number)" }
}

package enum RuleScope: Sendable {
  case all
  /// Those that a row alone decides, whichever other rows there are.
  case values
  /// Those about links, which rows may violate when others are removed.
  case links

  fileprivate func contains(_ rule: ValidationRule) -> Bool {
    switch self {
    case .all: true
    case .values: rule.column != nil
    case .links: rule.column == nil
    }
  }
}

extension StoreSchema {
  package func properties(of index: SchemaIndex) -> [String] {
    let table = entityTable(named: index.table)
    return index.terms.map { term in
      let role = table?.columns.first { $0.name == term.column }?.role
      switch role {
      case .attribute(let key), .foreignKey(let key): return key.property
      case .primaryKey, .entity, .version, .foreignEntity, .orderKey, .hiddenForeignKey,
        .hiddenOrderKey, .unmanaged, nil:
        return term.column
      }
    }
  }
}

extension SQLiteValue {
  /// The value for display: at most 80 characters, and the size of bytes; `nil` for NULL.
  fileprivate var shortText: String? {
    switch self {
    case .null: nil
    case .integer(let number): String(number)
    case .real(let number): "\(number)"
    case .text(let text): text.count > 80 ? String(text.prefix(79)) + "…" : text
    case .blob(let bytes): "\(bytes.count) bytes"
    case .streamed(let value): "\(value.count) bytes"
    }
  }
}
