internal import BulkSQLite
internal import BulkStore

/// Collects why objects were left out, and gives the reasons back object by object, in the order of entities
/// and keys.
///
/// The reasons are in a temporary file, so that any number of them takes little memory.
final class RejectLedger {
  private let session: StoreSession
  private let insertion: Statement

  /// An object with the reasons added for it.
  struct Object {
    /// The entity, the key and the entity mapping under which it was added.
    let entity: String
    let key: Int64
    let mapping: String
    /// In the order in which they were added.
    let reasons: [String]
  }

  init() throws(StoreError) {
    session = try StoreSession(inMemoryFor: ":memory:")
    let connection = session.connection
    try connection.execute("CREATE TEMP TABLE reason (entity, key INTEGER, mapping, text)")
    // Nothing else reads it, so that it ends with the ledger; a commit for each line would take
    // most of the time.
    try connection.execute("BEGIN")
    insertion = try connection.prepare("INSERT INTO temp.reason VALUES (?1, ?2, ?3, ?4)")
  }

  func add(
    _ reason: String,
    entity: String,
    key: Int64,
    mapping: String
  ) throws(StoreError) {
    try insertion.bind(.text(entity), at: 1)
    try insertion.bind(.integer(key), at: 2)
    try insertion.bind(.text(mapping), at: 3)
    try insertion.bind(.text(reason), at: 4)
    try insertion.run()
  }

  func each(_ body: (Object) throws -> Void) throws {
    var last: (entity: String, key: Int64, mapping: String)?
    var reasons: [String] = []
    func end() throws {
      guard let last else { return }
      try body(Object(entity: last.entity, key: last.key, mapping: last.mapping, reasons: reasons))
      reasons = []
    }
    try session.rows(
      of: "SELECT entity, key, mapping, text FROM temp.reason ORDER BY entity, key, mapping, rowid"
    ) { row in
      let next = (entity: row.text(at: 0), key: row.int64(at: 1), mapping: row.text(at: 2))
      if let known = last, known != next { try end() }
      last = next
      reasons.append(row.text(at: 3))
    }
    try end()
  }
}
