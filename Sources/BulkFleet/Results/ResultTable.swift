internal import BulkSupport
package import BulkExecute
internal import BulkPlan
package import BulkMigrate
internal import BulkSQLite

/// The results of a fleet as a database, which reports query.
///
/// `attempts` has a row for every line of the results, `repeats` those that found a store as an earlier one had left it,
/// `stores` the last other one of every store, `losses` what those stores lack, by store and owner. The last is the one
/// that ended last, whatever file it is in.
package final class ResultTable {
  private let database: FleetDatabase
  private let fleet: String?
  /// The number of lines of each file that are not results, where there are any.
  package private(set) var skippedLines: [String: Int] = [:]

  /// Reads results into a database, which is made again.
  ///
  /// A file of ours at `path` is replaced; `nil` for a database that ends with this object. `fleet` is the
  /// fingerprint of the fleet whose results count; `nil` for all.
  package init(_ results: [String], in path: String?, fleet: String?) throws(FleetError) {
    self.fleet = fleet
    if let path { try Self.refuseForeign(path) }
    database = try FleetDatabase(path, Self.schema)
    if path == nil { database.removeName() }
    for file in results { try read(file) }
    try database.execute("COMMIT;" + Self.views)
  }

  private static func refuseForeign(_ path: String) throws(FleetError) {
    guard let beginning = FileReading.beginning(of: path, count: 100), !beginning.isEmpty else {
      return
    }
    // The application id, at byte 68 of a database (The SQLite Database File Format, 1.3.17).
    guard beginning.count == 100, Array(beginning[68..<72]) == [0x62, 0x6D, 0x66, 0x6C] else {
      throw .cannotWrite(path: path, reason: "it already exists, and is not a table of results")
    }
  }

  private static let schema = """
    PRAGMA application_id = 1651336812;
    CREATE TABLE attempts (
      number INTEGER PRIMARY KEY, id TEXT NOT NULL, attempt INTEGER, outcome TEXT, code INTEGER,
      failure TEXT, class TEXT, source TEXT, destination TEXT, version TEXT, destinationVersion TEXT, rows INTEGER,
      rowsOfAttempt INTEGER, lost INTEGER, rejected INTEGER, verified INTEGER, sourceBytes INTEGER, bytes INTEGER,
      wallSeconds REAL, processorSeconds REAL, peakMemoryBytes INTEGER, plan TEXT, tool TEXT, host TEXT, time REAL,
      error TEXT, reason TEXT, entity TEXT, key INTEGER);
    CREATE TABLE losses (number INTEGER, kind TEXT, owner TEXT, count INTEGER);
    BEGIN;
    """
  private static let views = """
    CREATE TABLE repeats AS SELECT number FROM (
      SELECT number, outcome, lag(outcome) OVER (PARTITION BY id ORDER BY time, number) AS before FROM attempts)
      WHERE outcome = 'already' AND before IN ('done', 'already');
    CREATE UNIQUE INDEX repeatsByNumber ON repeats (number);
    CREATE TABLE stores AS SELECT * FROM (
      SELECT *, count(*) OVER (PARTITION BY id) AS attempts,
        row_number() OVER (PARTITION BY id ORDER BY time DESC, number DESC) AS backwards
      FROM attempts WHERE number NOT IN (SELECT number FROM repeats)) WHERE backwards = 1;
    CREATE UNIQUE INDEX storesById ON stores (id);
    """

  private func read(_ file: String) throws(FleetError) {
    let insertion = "INSERT INTO attempts VALUES (NULL\(String(repeating: ", ?", count: 28)))"
    let line = try database.prepare(insertion)
    let loss = try database.prepare("INSERT INTO losses VALUES (?, ?, ?, ?)")
    let skipped = try ResultLog.read(file) { result throws(FleetError) in
      guard fleet == nil || result.fleet == fleet else { return }
      try database.run(line, Self.values(of: result))
      let number = SQLiteValue.integer(database.connection.lastInsertedKey)
      for lost in result.record.losses {
        let values = [
          .text(lost.kind.rawValue), .text(lost.owner), SQLiteValue.integer(lost.count),
        ]
        try database.run(loss, [number] + values)
      }
    }
    if skipped > 0 { skippedLines[file] = skipped }
  }

  private static func values(of result: StoreResult) -> [SQLiteValue] {
    let record = result.record
    return [
      .text(result.id), .integer(or: result.attempt),
      .text(result.outcome.rawValue), .integer(Int64(result.code)),
      .text(or: result.failure?.rawValue), .text(or: result.storeClass), .text(result.source),
      .text(or: record.destinationPath), .text(or: result.version),
      .text(or: result.destinationVersion),
      .integer(or: record.rows), .integer(or: record.rowsOfAttempt),
      .integer(or: record.losses.most),
      .integer(or: record.rejected),
      .integer(or: record.verification.map { $0.isVerified ? 1 : 0 }),
      .integer(or: result.sourceBytes), .integer(or: record.bytes), .real(record.wallSeconds ?? 0),
      .real(record.processorSeconds ?? 0), .integer(or: record.peakMemoryBytes),
      .text(or: record.planFingerprint), .text(record.tool), .text(result.host), .real(result.time),
      .text(or: result.error?.message),
      .text(or: result.reason), .text(or: result.error?.entity), .integer(or: result.error?.key),
    ]
  }

  package func groups(by column: GroupColumn) throws(FleetError) -> [FleetSummary.Group] {
    try database.rows(
      """
      SELECT ifnull(\(column.rawValue), ''), count(*), ifnull(sum(rows), 0), ifnull(sum(sourceBytes), 0)
      FROM stores GROUP BY 1 ORDER BY 2 DESC, 1
      """
    ) {
      FleetSummary.Group(
        name: $0.text(at: 0),
        stores: $0.int64(at: 1),
        rows: $0.int64(at: 2),
        bytes: $0.int64(at: 3)
      )
    }
  }

  package enum GroupColumn: String {
    case outcome, version
    case storeClass = "class"
  }

  /// The percentiles of a measure over the stores that were migrated, the longest attempt of each.
  private func percentiles(of measure: String) throws(FleetError) -> FleetSummary.Percentiles? {
    let stores =
      "SELECT max(\(measure)) AS value FROM attempts WHERE outcome = 'done' GROUP BY id"
    let found = try database.rows("SELECT count(value), ifnull(sum(value), 0) FROM (\(stores))") {
      (count: $0.int64(at: 0), sum: $0.double(at: 1))
    }
    guard let (count, sum) = found.first, count > 0 else { return nil }
    var values: [Double] = []
    for share in [0.5, 0.9, 0.99, 1] {
      let rank = max(0, Int64((Double(count) * share).rounded(.up)) - 1)
      values += try database.rows(
        "SELECT value FROM (\(stores)) WHERE value NOT NULL ORDER BY value LIMIT 1 OFFSET \(rank)"
      ) { $0.double(at: 0) }
    }
    guard values.count == 4 else { return nil }
    return FleetSummary.Percentiles(
      p50: values[0],
      p90: values[1],
      p99: values[2],
      most: values[3],
      sum: sum
    )
  }

  /// The reasons of failures, those of most stores first.
  private func reasons(limit: Int) throws(FleetError) -> [FleetSummary.Reason] {
    try database.rows(
      """
      SELECT code, ifnull(failure, ''),
        replace(replace(ifnull(error, ''), source, 'the store'), destination, 'the destination'),
        count(*), min(id)
      FROM stores WHERE outcome IN ('failed', 'quarantined') GROUP BY code, failure, reason
      ORDER BY 4 DESC, 3 LIMIT \(limit)
      """
    ) {
      FleetSummary.Reason(
        code: $0.int64(at: 0),
        failure: $0.text(at: 1),
        reason: $0.text(at: 2),
        stores: $0.int64(at: 3),
        example: $0.text(at: 4)
      )
    }
  }

  private func losses() throws(FleetError) -> [FleetSummary.Group] {
    try database.rows(
      """
      SELECT kind || ' of ' || owner, count(DISTINCT stores.id), sum(count), 0 FROM losses
      JOIN stores USING (number) GROUP BY 1 ORDER BY 3 DESC, 1
      """
    ) {
      FleetSummary.Group(name: $0.text(at: 0), stores: $0.int64(at: 1), rows: $0.int64(at: 2))
    }
  }

  package func slowest(limit: Int) throws(FleetError) -> [FleetSummary.Store] {
    try stores(
      """
      SELECT id, max(wallSeconds), ifnull(max(peakMemoryBytes), 0), ifnull(max(sourceBytes), 0), count(*), NULL
      FROM attempts WHERE number NOT IN (SELECT number FROM repeats) GROUP BY id ORDER BY 2 DESC, 1 LIMIT \(limit)
      """
    )
  }

  /// The first stores whose last attempt failed, with the attempts at them.
  private func failed(limit: Int) throws(FleetError) -> [FleetSummary.Store] {
    try stores(
      """
      SELECT id, wallSeconds, ifnull(peakMemoryBytes, 0), ifnull(sourceBytes, 0), attempts, outcome
      FROM stores WHERE outcome IN ('failed', 'quarantined') ORDER BY id LIMIT \(limit)
      """
    )
  }

  private func stores(_ sql: String) throws(FleetError) -> [FleetSummary.Store] {
    try database.rows(sql) {
      var store = FleetSummary.Store(
        id: $0.text(at: 0),
        seconds: $0.double(at: 1),
        memoryBytes: $0.int64(at: 2),
        bytes: $0.int64(at: 3),
        attempts: $0.int64(at: 4)
      )
      store.outcome = $0.storageClass(at: 5) == .null ? nil : $0.text(at: 5)
      return store
    }
  }

  /// The stores that were migrated, by the power of two in milliseconds below which the longest attempt took, with the
  /// limits between them that none took.
  private func times() throws(FleetError) -> [FleetSummary.Group] {
    let attempts =
      "SELECT max(wallSeconds) * 1000 AS took FROM attempts WHERE outcome = 'done' GROUP BY id"
    let limits = (0...40).map { "(\(Int64(1) << Int64($0)))" }.joined(separator: ", ")
    let found = try database.rows(
      """
      WITH limits (above) AS (VALUES \(limits)), longest (took) AS (\(attempts))
      SELECT (SELECT min(above) FROM limits WHERE above >= took), count(*) FROM longest GROUP BY 1 ORDER BY 1
      """
    ) { (limit: $0.int64(at: 0), stores: $0.int64(at: 1)) }
    guard var limit = found.first?.limit, let last = found.last?.limit, limit > 0 else { return [] }
    var result: [FleetSummary.Group] = []
    while limit <= last {
      let time = limit < 1000 ? "\(limit) ms" : Duration.milliseconds(limit).short
      let count = found.first { $0.limit == limit }?.stores ?? 0
      result.append(FleetSummary.Group(name: "up to \(time)", stores: count))
      limit *= 2
    }
    return result
  }

  package func summary(of fleet: FleetPlan) throws(FleetError) -> FleetSummary {
    let name = URL(fileURLWithPath: fleet.manifest).lastPathComponent
    var summary = FleetSummary(name: name, stores: Int64(fleet.stores.count))
    summary.outcomes = try groups(by: .outcome)
    summary.times = try times()
    summary.versions = try groups(by: .version)
    summary.classes = try groups(by: .storeClass)
    summary.wallSeconds = try percentiles(of: "wallSeconds")
    summary.processorSeconds = try percentiles(of: "processorSeconds")
    summary.peakMemoryBytes = try percentiles(of: "peakMemoryBytes")
    summary.failures = try reasons(limit: 20)
    summary.losses = try losses()
    summary.failed = try failed(limit: 100)
    summary.slowest = try slowest(limit: 20)
    let sums = try database.rows("SELECT ifnull(sum(rows), 0), ifnull(sum(bytes), 0) FROM stores") {
      ($0.int64(at: 0), $0.int64(at: 1))
    }
    if let sums = sums.first { (summary.rows, summary.bytes) = sums }
    let course = try database.rows(
      "SELECT count(DISTINCT host), min(time - wallSeconds), max(time) FROM attempts"
    ) { ($0.int64(at: 0), $0.double(at: 1), $0.double(at: 2)) }
    // Without attempts there are no hosts.
    if let course = course.first, course.0 > 0 {
      (summary.hosts, summary.began) = (course.0, course.1)
      summary.ended = max(course.1, course.2)
    }
    return summary
  }

  /// The last outcome of a store, and who can do something about it; `nil` if it was never tried.
  package func outcome(
    of id: String
  ) throws(FleetError) -> (MigrationRecord.Outcome, StoreResult.Failure?)? {
    let sql = "SELECT outcome, failure FROM stores WHERE id = \(SQLText.quoted(literal: id))"
    let found = try database.rows(sql) { ($0.text(at: 0), $0.text(at: 1)) }
    guard let (outcome, failure) = found.first,
      let known = MigrationRecord.Outcome(rawValue: outcome)
    else { return nil }
    return (known, StoreResult.Failure(rawValue: failure))
  }
}
