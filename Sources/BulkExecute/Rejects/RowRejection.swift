internal import BulkModel
internal import BulkSQLite
internal import BulkStore

/// Removes rows from a store that is otherwise complete, with the rows that depend on them.
///
/// A link to a removed row becomes nil where the model allows it; otherwise the row that has the
/// link is removed too, to the end of the chain.
final class RowRejection {
  private let session: StoreSession
  private let schema: StoreSchema
  private let takesDependants: Bool
  private let tables: [String: Int64]
  private var listing: [String: ListingStatement] = [:]

  /// With `takesDependants` rows with a link to a removed one are removed in any case.
  init(
    _ schema: StoreSchema,
    _ session: StoreSession,
    takesDependants: Bool
  ) throws(StoreError) {
    (self.schema, self.session, self.takesDependants) = (schema, session, takesDependants)
    tables = Dictionary(
      uniqueKeysWithValues: schema.entityTables.enumerated().map { ($1.name, Int64($0)) }
    )
    try session.connection.execute(
      // Table, key and entity of a row, and its distance; of a dependant also its link and the key there.
      "CREATE TEMP TABLE IF NOT EXISTS rejected (t INTEGER, k INTEGER, e INTEGER, d INTEGER, l INTEGER, "
        + "x INTEGER, PRIMARY KEY (t, k)) WITHOUT ROWID; DELETE FROM temp.rejected"
    )
  }

  /// Returns whether the row is in the store and was not listed.
  func add(_ entity: String, _ key: Int64) throws(StoreError) -> Bool {
    guard let found = schema.model.entity(named: entity) else { return false }
    let table = schema.table(of: found).name
    let statement: ListingStatement
    if let known = listing[table] {
      statement = known
    } else {
      statement = try ListingStatement(number(of: table), table, session)
      listing[table] = statement
    }
    return try statement.add(key)
  }

  func lists(_ entity: String, _ key: Int64) throws(StoreError) -> Bool {
    guard let found = schema.model.entity(named: entity) else { return false }
    let number = number(of: schema.table(of: found).name)
    let sql = "SELECT 1 FROM temp.rejected WHERE t = \(number) AND k = \(key)"
    return try session.value(sql) != nil
  }

  func count() throws(StoreError) -> Int64 {
    let count = try session.value("SELECT count(*) FROM temp.rejected")
    guard case .integer(let count) = count else { return 0 }
    return count
  }

  func highestKeys() throws -> [String: Int64] {
    let names = schema.entityTables.map(\.name)
    var result: [String: Int64] = [:]
    try session.rows(of: "SELECT t, max(k) FROM temp.rejected GROUP BY t") { row in
      result[names[Int(row.int64(at: 0))]] = row.int64(at: 1)
    }
    return result
  }

  /// Lists all rows that depend on listed ones, and calls a body for each.
  func addDependants(_ body: (RejectedDependant) throws -> Void) throws {
    let links = schema.links
    var distance: Int64 = 0
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      distance += 1
      for (index, link) in links.enumerated() where takesDependants || link.isRequired {
        let sql = link.listingSQL(
          own: number(of: link.table),
          target: number(of: link.targetTable),
          "\(distance), \(index)"
        )
        try session.connection.execute(sql)
        let changes = try session.connection.value("SELECT changes()")
        if changes != .integer(0) { isGrowing = true }
      }
    }
    try session.rows(of: "SELECT e, k, l, x FROM temp.rejected WHERE d > 0 ORDER BY d, t, k") {
      row in
      let link = links[Int(row.int64(at: 2))]
      try body(
        RejectedDependant(
          entity: schema.entityName(ofNumber: row.int64(at: 0)),
          key: row.int64(at: 1),
          property: link.name,
          target: "\(link.target) \(row.int64(at: 3))"
        )
      )
    }
  }

  /// Finds listed rows that repeat the values of one that is listed as a dependant, so that none with these is
  /// left.
  ///
  /// The index is unique and violated by them; the body is called for every one, with the properties of the
  /// index and the dependant.
  func eachTwin(in index: SchemaIndex, _ body: (RejectedDependant) throws -> Void) throws {
    let table = SQLText.quoted(index.table)
    let same = index.terms.map { "a.\(SQLText.quoted($0.column)) = b.\(SQLText.quoted($0.column))" }
    try session.rows(
      of:
        "SELECT r.e, r.k, s.e, s.k FROM temp.rejected AS r JOIN main.\(table) AS a ON a.Z_PK = r.k "
        + "JOIN main.\(table) AS b ON \(same.joined(separator: " AND ")) "
        + "JOIN temp.rejected AS s ON s.t = r.t AND s.k = b.Z_PK AND s.d > 0 "
        + "WHERE r.t = \(number(of: index.table)) AND r.d = 0 ORDER BY r.k"
    ) { row in
      let twin = schema.entityName(ofNumber: row.int64(at: 2))
      try body(
        RejectedDependant(
          entity: schema.entityName(ofNumber: row.int64(at: 0)),
          key: row.int64(at: 1),
          property: schema.properties(of: index).joined(separator: ", "),
          target: "\(twin) \(row.int64(at: 3))"
        )
      )
    }
  }

  /// The links and pairs lost with removed rows.
  struct Companions {
    /// The links and pairs that lead to them from other rows, by relationship as `Entity.relationship`.
    fileprivate(set) var links: [String: Int64] = [:]
    fileprivate(set) var pairs: Int64 = 0
  }

  /// Removes all listed rows, their pairs, and the links to them; call it in a batch.
  func apply() throws(StoreError) -> Companions {
    let connection = session.connection
    var lost = Companions()
    for link in schema.links {
      let (target, own) = (number(of: link.targetTable), number(of: link.table))
      try connection.execute(link.clearingSQL(target, except: own))
      if connection.changes > 0 { lost.links["\(link.property)", default: 0] += connection.changes }
    }
    for join in schema.joinTables {
      for (column, entity) in [
        (join.ownerColumn, join.owner.entity), (join.memberColumn, join.inverse.entity),
      ] {
        guard let entity = schema.model.entity(named: entity) else { continue }
        let number = number(of: schema.table(of: entity).name)
        try connection.execute(
          "DELETE FROM main.\(SQLText.quoted(join.name)) WHERE \(SQLText.quoted(column)) IN "
            + Self.listed(number)
        )
        guard connection.changes > 0 else { continue }
        lost.pairs += connection.changes
        lost.links[join.owner.description, default: 0] += connection.changes
      }
    }
    for table in schema.entityTables {
      try connection.execute(
        "DELETE FROM main.\(SQLText.quoted(table.name)) WHERE Z_PK IN "
          + Self.listed(number(of: table.name))
      )
    }
    try connection.execute("DELETE FROM temp.rejected")
    return lost
  }

  /// Lists a row that is not in the store any more.
  func addRemoved(_ entity: String, _ key: Int64) throws(StoreError) {
    guard let found = schema.model.entity(named: entity) else { return }
    try session.connection.execute(
      "INSERT OR IGNORE INTO temp.rejected VALUES (\(number(of: schema.table(of: found).name)), \(key), "
        + "\(schema.numbering.number(of: entity)), 0, NULL, NULL)"
    )
  }

  /// Removes the rows of a table of CloudKit that describe listed ones, and returns how many there were.
  func removeRecords(in table: String) throws(StoreError) -> Int64 {
    try session.connection.execute(
      "DELETE FROM main.\(SQLText.quoted(table)) AS m WHERE EXISTS (SELECT 1 FROM temp.rejected AS r "
        + "WHERE r.k = m.ZENTITYPK AND r.e = m.ZENTITYID)"
    )
    return session.connection.changes
  }

  private func number(of table: String) -> Int64 { tables[table] ?? -1 }

  fileprivate static func listed(_ table: Int64) -> String {
    "(SELECT k FROM temp.rejected WHERE t = \(table))"
  }
}

/// Lists one row after another of a table.
private final class ListingStatement {
  private let session: StoreSession
  private let statement: Statement

  init(_ number: Int64, _ table: String, _ session: StoreSession) throws(StoreError) {
    self.session = session
    statement = try session.prepare(
      "INSERT OR IGNORE INTO temp.rejected SELECT \(number), Z_PK, Z_ENT, 0, NULL, NULL "
        + "FROM main.\(SQLText.quoted(table)) WHERE Z_PK = ?1"
    )
  }

  func add(_ key: Int64) throws(StoreError) -> Bool {
    try statement.bind(.integer(key), at: 1)
    try statement.run()
    return session.connection.changes == 1
  }
}

/// A row that is removed because it depends on another one.
struct RejectedDependant: Hashable, Sendable {
  let entity: String
  let key: Int64
  let property: String
  /// The object to which it leads, as `Note 5`.
  let target: String
}

extension StoreReference {
  /// The relationship of its rows; that of another entity by the entity, too.
  fileprivate var name: String { isHidden ? "\(property)" : property.property }

  fileprivate func listingSQL(own: Int64, target: Int64, _ positionColumn: String) -> String {
    let column = "d.\(SQLText.quoted(column))"
    return
      "INSERT OR IGNORE INTO temp.rejected SELECT \(own), d.Z_PK, d.Z_ENT, \(positionColumn), \(column) "
      + "FROM main.\(SQLText.quoted(table)) AS d WHERE \(column) IN " + RowRejection.listed(target)
  }

  fileprivate func clearingSQL(_ target: Int64, except own: Int64) -> String {
    let columns = [column, entityColumn, orderColumn].compactMap(\.self)
      .map { "\(SQLText.quoted($0)) = NULL" }
    return "UPDATE main.\(SQLText.quoted(table)) SET \(columns.joined(separator: ", ")) "
      + "WHERE \(SQLText.quoted(column)) IN \(RowRejection.listed(target)) "
      + "AND Z_PK NOT IN " + RowRejection.listed(own)
  }
}

extension StoreSchema {
  fileprivate var links: [StoreReference] { entityTables.flatMap { references(in: $0) } }
}
