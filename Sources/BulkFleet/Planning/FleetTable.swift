internal import BulkSupport
internal import BulkSQLite
internal import BulkStore

/// The stores of a manifest in a temporary database, so that a million take little memory.
final class FleetTable {
  /// The faults that are listed; of more only the number is kept.
  private static let faultLimit = 10_000
  private static let ignoredLimit = 20
  /// The lines between two reports of progress.
  private static let reportInterval = 256

  let database: FleetDatabase
  let count: Int
  /// The first names that lines have and that mean nothing.
  let ignoredMembers: Set<String>

  /// `version` is the name that is known, `claimed` one that the manifest has and no model; `names` are those that must be
  /// unique or lead to no other line: ids (0), stores to make (1), folders for values (2) and stores to read (3), and as `isOwner`
  /// the stores to whose files such a name belongs.
  private static let schema = """
    PRAGMA cache_size = -8192;
    CREATE TABLE stores (line INTEGER PRIMARY KEY, id TEXT, source TEXT, destination TEXT, bytes INTEGER, class TEXT,
      claimed TEXT, version TEXT, fault TEXT);
    CREATE TABLE names (name TEXT, kind INTEGER, isOwner INTEGER, line INTEGER);
    BEGIN;
    """
  /// Of equal names the first is right; the files of one store may have several.
  private static let faults = """
    CREATE TABLE repeated AS SELECT * FROM names
      WHERE name IN (SELECT name FROM names GROUP BY name HAVING count(*) > 1);
    DROP TABLE names;
    CREATE INDEX repeatedNames ON repeated (name, kind, isOwner, line);
    CREATE VIEW faults AS
    WITH firsts AS (SELECT name, kind, line,
      min(line) FILTER (WHERE NOT isOwner) OVER (PARTITION BY name, kind) AS first FROM repeated WHERE kind < 3)
    SELECT max(firsts.line, first) AS line, CASE kind
      WHEN 0 THEN 'the id ' || name || ' is that of line ' || first || ' already'
      WHEN 1 THEN 'the destination ' || destination || ' is that of line ' || min(firsts.line, first) || ' already'
      ELSE 'the destination ' || destination || ' has the folder for values of that of line ' || first END
      AS reason, kind, first AS other
    FROM firsts JOIN stores ON stores.line = max(firsts.line, first)
    WHERE firsts.line <> first
    UNION ALL
    SELECT maker.line, 'the destination ' || destination || ' is the source of line ' || reader.line
      || ', or a file beside it', 3, reader.line
    FROM repeated AS maker JOIN repeated AS reader USING (name) JOIN stores ON stores.line = maker.line
    WHERE maker.kind = 1 AND reader.kind = 3 AND reader.isOwner <= NOT maker.isOwner;
    """

  /// Reads a manifest, and checks that ids and destinations are unique; a failure has all faults.
  ///
  /// With `keepsValues` stores may have external values, so that no two destinations may have the folder for them. A
  /// failure means nothing where `isStopped` has returned true.
  init(
    _ manifest: Manifest,
    knowing versions: Set<String> = [],
    keepsValues: Bool = true,
    isStopped: @escaping () -> Bool = { false },
    _ report: (FleetPlanningProgress) -> Void
  ) throws(FleetError) {
    let size = Double(Manifest.size(of: manifest.path) ?? 0)
    let database = try FleetDatabase(nil, Self.schema)
    database.removeName()
    database.connection.watch(isStopped)
    let store = try database.prepare("INSERT INTO stores VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)")
    let name = try database.prepare("INSERT INTO names VALUES (?, ?, ?, ?)")
    var ignored: Set<String> = []
    var faults: [(line: Int, reason: String)] = []
    var (count, faultCount) = (0, 0)
    func add(_ line: Int, _ reason: String) {
      faultCount += 1
      if faults.count < Self.faultLimit { faults.append((line, reason)) }
    }
    try manifest.read { line, offset, found throws(FleetError) in
      if line % Self.reportInterval == 0 {
        if isStopped() {
          throw .unreadable(path: manifest.path, reason: "reading it was stopped")
        }
        let total = offset > 0 ? Int(Double(line) * size / Double(offset)) : 0
        report(FleetPlanningProgress(.manifest, line, of: total))
      }
      switch found {
      case .failure(let fault): for reason in fault.reasons { add(line, reason) }
      case .success(let entry):
        count += 1
        if ignored.count < Self.ignoredLimit { ignored.formUnion(entry.ignored) }
        let isKnown = entry.version.map(versions.contains) ?? false
        try database.run(
          store,
          [
            .integer(Int64(line)), .text(entry.id), .text(entry.source), .text(entry.destination),
            .integer(or: entry.bytes), .text(or: entry.storeClass),
            .text(or: isKnown ? nil : entry.version),
            .text(or: isKnown ? entry.version : nil),
          ]
        )
        func add(_ text: String, kind: Int64, isOwner: Bool = false) throws(FleetError) {
          let values: [SQLiteValue] = [
            .text(text), .integer(kind), .integer(isOwner ? 1 : 0), .integer(Int64(line)),
          ]
          try database.run(name, values)
        }
        try add(entry.id, kind: 0)
        if keepsValues {
          try add(ExternalBinaryData.supportFolder(of: entry.destination), kind: 2)
        }
        for (path, kind) in [(entry.destination, Int64(1)), (entry.source, 3)] {
          try add(path, kind: kind)
          let owner = StoreNames.store(ofFile: path)
          if owner != path { try add(owner, kind: kind, isOwner: true) }
        }
      }
    }
    try database.execute(Self.faults)
    var told: Int64 = 0
    try database.each("SELECT line, reason, kind FROM faults ORDER BY line, kind, other") {
      let (line, kind) = ($0.int64(at: 0), $0.int64(at: 2))
      if kind == 1 { told = line }
      // Equal destinations have one folder.
      if kind != 2 || told != line { add(Int(line), $0.text(at: 1)) }
    }
    if count + faultCount == 0 { add(1, "there is no store in it") }
    guard faultCount == 0 else {
      throw .manifest(manifest.path, faults.sorted { $0.line < $1.line }, of: faultCount)
    }
    (self.database, self.count, ignoredMembers) = (database, count, ignored)
  }

  private static let columns = "id, source, destination, bytes, class, version, fault, line"

  private static func store(_ row: borrowing Statement) -> FleetStore {
    func text(_ column: Int32) -> String? {
      row.storageClass(at: column) == .null ? nil : row.text(at: column)
    }
    return FleetStore(
      id: row.text(at: 0),
      source: row.text(at: 1),
      destination: row.text(at: 2),
      bytes: row.storageClass(at: 3) == .null ? nil : row.int64(at: 3),
      version: text(5),
      storeClass: text(4),
      fault: text(6)
    )
  }

  /// The stores, heaviest first; one without a size comes last.
  func eachBySize(_ body: (FleetStore) throws(FleetError) -> Void) throws(FleetError) {
    let order = "ifnull(bytes, -1) DESC, line"
    try database.each("SELECT \(Self.columns) FROM stores ORDER BY \(order)") {
      row throws(FleetError) in try body(Self.store(row))
    }
  }

  /// Completes the stores of unknown size or version; the body also gets how many came before, and how many there are.
  func complete(
    _ body: (inout FleetStore, Int, Int) throws(FleetError) -> Void
  ) throws(FleetError) {
    let unknown = "FROM stores WHERE bytes IS NULL OR version IS NULL"
    let all = try database.rows("SELECT count(*) \(unknown)") { Int($0.int64(at: 0)) }
    let update = try database.prepare(
      "UPDATE stores SET bytes = ?, version = ?, fault = ? WHERE line = ?"
    )
    var done = 0
    try database.each("SELECT \(Self.columns) \(unknown)") { row throws(FleetError) in
      var store = Self.store(row)
      try body(&store, done, all[0])
      done += 1
      try database.run(
        update,
        [
          .integer(or: store.bytes), .text(or: store.version), .text(or: store.fault),
          .integer(row.int64(at: 7)),
        ]
      )
    }
  }
}
