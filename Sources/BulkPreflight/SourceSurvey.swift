internal import BulkModel
internal import BulkPlatform
internal import BulkSQLite
internal import BulkStore

/// Reads a source for faults that its model does not exclude: dangling and one-sided links, and external values without
/// their files.
///
/// Every table is read once for its links, range by range; a column of external values once more. One row is held at a
/// time.
final class SourceSurvey {
  /// A fault of a value or a link.
  enum Fault: Hashable, Sendable {
    /// The key of a link is not that of a row.
    case leadsNowhere
    /// The object at the other end of a one-to-one relationship leads to another one, or to none.
    case isOneSided
    /// The file with the value is missing.
    case hasNoFile
  }

  /// A fault and its place.
  struct Found: Sendable {
    let fault: Fault
    let entity: String
    let key: Int64
    /// The property that declares the value or link, with its entity.
    let property: PropertyKey
  }

  /// The entities without a row in the sample, although not all rows of their table were read, in
  /// the order of the tables.
  private(set) var unseenEntities: [String] = []
  private let store: PersistentStore
  private let schema: StoreSchema
  private let session: StoreSession

  /// - Parameters:
  ///   - store: The store.
  ///   - schema: Its tables.
  ///   - sample: The rows to read; `nil` for all.
  ///   - isStopped: Called every few milliseconds; returns whether to stop.
  /// - Throws: ``StoreError`` if the store cannot be read.
  init(
    _ store: PersistentStore,
    _ schema: StoreSchema,
    sample: KeySample?,
    isStopped: @escaping () -> Bool
  ) throws(StoreError) {
    self.store = store
    self.schema = schema
    session = try store.sessionInMemory()
    session.sample = sample
    session.watch(isStopped)
  }

  /// Reads the source.
  ///
  /// - Parameters:
  ///   - report: Called after every range with the number of rows that were read for the first
  ///     time; its error ends the work.
  ///   - body: Called with every fault, table by table in the order of the keys.
  /// - Throws: ``StoreError`` if the source cannot be read.
  func run(_ report: (Int64) throws -> Void, _ body: (Found) throws -> Void) throws {
    for table in schema.entityTables {
      try count(table, report)
      try eachLink(of: schema.links(in: table), in: table.name, report, body)
      for column in table.columns {
        guard case .attribute(let key) = column.role else { continue }
        if schema.allowsExternalStorage(column) {
          try eachMissingFile(of: key, column.name, in: table.name, report, body)
        }
      }
    }
    // A sample takes keys of objects, which pairs have no keys of their own for.
    guard session.sample == nil else { return }
    for join in schema.joinTables {
      for link in schema.links(in: join) { try eachLink(of: [link], in: join.name, report, body) }
    }
  }

  private func eachLink(
    of links: [SurveyedLink],
    in table: String,
    _ report: (Int64) throws -> Void,
    _ body: (Found) throws -> Void
  ) throws {
    let linksAtOnce = 100
    for first in stride(from: 0, to: links.count, by: linksAtOnce) {
      let some = Array(links[first..<min(first + linksAtOnce, links.count)])
      var bounds: [String: KeyBounds] = [:]
      for link in some where bounds[link.targetTable] == nil {
        bounds[link.targetTable] = try KeyBounds(link.targetTable, of: store)
      }
      let tests = some.flatMap { link in
        link.tests(bounds[link.targetTable] ?? .unknown).map { (link: link, fault: $0, sql: $1) }
      }
      let statement = try session.prepare(
        "SELECT \(some[0].keyColumn), \(some[0].entityColumn), "
          + tests.map { "(\($0.sql)) IS TRUE" }.joined(separator: ", ")
          + " FROM source.\(SQLText.quoted(table)) AS s NOT INDEXED "
          + "WHERE s.rowid BETWEEN ?1 AND ?2 AND ("
          + tests.map { "(\($0.sql))" }.joined(separator: " OR ") + ") ORDER BY s.rowid"
      )
      try eachRow(of: statement, in: table, report) { row in
        for (index, test) in tests.enumerated() where row.int64(at: Int32(index) + 2) == 1 {
          try body(found(test.fault, row, test.link.property))
        }
      }
    }
  }

  private func eachMissingFile(
    of property: PropertyKey,
    _ column: String,
    in table: String,
    _ report: (Int64) throws -> Void,
    _ body: (Found) throws -> Void
  ) throws {
    let name = "s.\(SQLText.quoted(column))"
    let statement = try session.prepare(
      "SELECT s.rowid, s.Z_ENT, substr(\(name), 2, 36) FROM source.\(SQLText.quoted(table)) AS s "
        + "WHERE s.rowid BETWEEN ?1 AND ?2 AND \(ExternalBinaryData.condition(on: name)) "
        + "ORDER BY s.rowid"
    )
    try eachRow(of: statement, in: table, report) { row in
      let file = String(decoding: row.blob(at: 2), as: UTF8.self)
      guard !ExternalBinaryData.hasFile(file, of: store.path) else { return }
      try body(found(.hasNoFile, row, property))
    }
  }

  private func found(_ fault: Fault, _ row: borrowing Statement, _ property: PropertyKey) -> Found {
    Found(
      fault: fault,
      entity: schema.entityName(ofNumber: row.int64(at: 1)),
      key: row.int64(at: 0),
      property: property
    )
  }

  /// The least and the greatest value of a column, as text; `nil` if there is none.
  func extremes(
    of column: SourceColumn
  ) throws(StoreError) -> (least: String, greatest: String)? {
    let name = "s.\(SQLText.quoted(column.name))"
    let statement = try session.prepare(
      "SELECT CAST(min(\(name)) AS TEXT), CAST(max(\(name)) AS TEXT) "
        + "FROM source.\(SQLText.quoted(column.table)) AS s NOT INDEXED "
        + "WHERE s.Z_ENT = \(column.entity)"
    )
    guard try statement.step(), case .text(let least) = statement.value(at: 0),
      case .text(let greatest) = statement.value(at: 1)
    else { return nil }
    return (least, greatest)
  }

  /// Calls a body with the key and the value of every row that has a number in a column.
  func eachNumber(
    in column: SourceColumn,
    _ report: (Int64) throws -> Void,
    _ body: (Int64, SQLiteValue) throws -> Void
  ) throws {
    let name = "s.\(SQLText.quoted(column.name))"
    let statement = try session.prepare(
      "SELECT s.rowid, \(name) FROM source.\(SQLText.quoted(column.table)) AS s "
        + "WHERE s.rowid BETWEEN ?1 AND ?2 AND s.Z_ENT = \(column.entity) "
        + "AND typeof(\(name)) IN ('integer', 'real') ORDER BY s.rowid"
    )
    try eachRow(of: statement, in: column.table, report) { row in
      try body(row.int64(at: 0), row.value(at: 1))
    }
  }

  /// The bytes of the values that SQL makes for the rows of a transfer, estimated from about a thousand of them.
  func bytesMade(by transfer: RowTransfer) throws(StoreError) -> Int64 {
    let lengths = transfer.assignments.filter(\.value.isMade).map {
      "ifnull(length(CAST(\($0.value.sql) AS BLOB)), 0)"
    }
    guard !lengths.isEmpty else { return 0 }
    let step = max(1, try store.rows(in: transfer.source) / 1_024)
    let conditions = ["s.rowid % \(step) = 0"] + transfer.conditions.map(\.sql)
    let bytes = try session.integer(
      "SELECT sum(\(lengths.joined(separator: " + "))) FROM source.\(SQLText.quoted(transfer.source)) AS s "
        + "WHERE \(conditions.map { "(\($0))" }.joined(separator: " AND "))"
    )
    return (bytes ?? 0) * step
  }

  /// The mean bytes of the values of a column, estimated from about a thousand of them; 0 where there is none.
  func meanBytes(of column: SourceColumn) throws(StoreError) -> Double {
    let step = max(1, try store.rows(in: column.table) / 1_024)
    let mean = try session.value(
      "SELECT avg(ifnull(length(CAST(s.\(SQLText.quoted(column.name)) AS BLOB)), 0)) "
        + "FROM source.\(SQLText.quoted(column.table)) AS s "
        + "WHERE s.Z_ENT = \(column.entity) AND s.rowid % \(step) = 0"
    )
    guard case .real(let bytes)? = mean else { return 0 }
    return bytes
  }

  /// Counts the rows of a table that are read.
  private func count(_ table: EntityTable, _ report: (Int64) throws -> Void) throws {
    let rows = try store.rows(in: table.name)
    guard session.sample != nil else { return try report(rows) }
    let statement = try session.prepare(
      "SELECT count(*), s.Z_ENT FROM source.\(SQLText.quoted(table.name)) AS s "
        + "WHERE s.rowid BETWEEN ?1 AND ?2 GROUP BY s.Z_ENT"
    )
    var count: Int64 = 0
    var seen: Set<Int64> = []
    try eachRow(of: statement, in: table.name, { _ in try report(0) }) { row in
      count += row.int64(at: 0)
      seen.insert(row.int64(at: 1))
    }
    if count < rows {
      unseenEntities += schema.entityNumbers(in: table).subtracting(seen).sorted()
        .map { schema.entityName(ofNumber: $0) }
    }
    try report(count)
  }

  private func eachRow(
    of statement: borrowing Statement,
    in table: String,
    _ report: (Int64) throws -> Void,
    _ body: (borrowing Statement) throws -> Void
  ) throws {
    var ranges = try KeyRanges(of: table, rows: try store.rows(in: table), session)
    while let range = try ranges.nextRange() {
      try statement.bind(range)
      while try statement.step() {
        try body(statement)
      }
      statement.reset()
      try report(0)
    }
  }
}

extension ColumnExpression {
  /// Whether the value is not one of the source's.
  fileprivate var isMade: Bool {
    switch self {
    case .constant, .computed: true
    case .byEntity(let cases): cases.contains { $0.value.isMade }
    case .column, .firstNonNull, .renumbered, .firstPartner, .placeAtFirstPartner, .mutual,
      .prefixed,
      .unprefixed, .entityNumber, .storedEntity, .onlyIf, .onlyWith, .shifted, .translated,
      .columnOfRow,
      .linked:
      false
    }
  }
}

/// A column of a source's entity table, in the rows of one entity.
struct SourceColumn: Hashable, Sendable {
  let name: String
  let table: String
  let entity: Int64
}
