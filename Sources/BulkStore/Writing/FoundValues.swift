internal import BulkSupport
package import BulkModel
internal import BulkSQLite

/// The values by which a policy searches for an object of an entity.
package struct FoundValues {
  /// Bytes that other entities, attributes and values do not have: short ones as they are, others as their
  /// SHA-256, which is longer.
  let name: [UInt8]

  /// The values of an object of an entity with the names of their attributes, in a fixed order.
  package init(_ entity: String, _ values: [(name: String, value: AttributeValue)]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(128)
    Self.append(entity.utf8, to: &bytes)
    for (name, value) in values {
      Self.append(name.utf8, to: &bytes)
      Self.append(value, to: &bytes)
    }
    name = bytes.count < SHA256.digestLength ? bytes : SHA256.digest(bytes)
  }

  private static func append(_ value: AttributeValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(0)
    case .boolean(let isTrue): bytes += [1, isTrue ? 1 : 0]
    case .integer(let number): append(2, UInt64(bitPattern: number), to: &bytes)
    case .double(let number): append(3, bits(of: number), to: &bytes)
    case .decimal(let number): append(4, "\(number)".utf8, to: &bytes)
    case .string(let text): append(5, text.utf8, to: &bytes)
    case .date(let seconds): append(6, bits(of: seconds), to: &bytes)
    case .binary(let content): append(7, content, to: &bytes)
    case .uuid(let identity): append(8, "\(identity)".utf8, to: &bytes)
    case .uri(let text): append(9, text.utf8, to: &bytes)
    }
  }

  private static func append(_ kind: UInt8, _ bits: UInt64, to bytes: inout [UInt8]) {
    bytes.append(kind)
    append(bits, to: &bytes)
  }

  private static func append(
    _ kind: UInt8,
    _ content: some Collection<UInt8>,
    to bytes: inout [UInt8]
  ) {
    bytes.append(kind)
    append(content, to: &bytes)
  }

  private static func append(_ content: some Collection<UInt8>, to bytes: inout [UInt8]) {
    append(UInt64(content.count), to: &bytes)
    bytes += content
  }

  private static func append(_ bits: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
  }

  /// The bits of a number; every `NaN` is found by every other.
  private static func bits(of number: Double) -> UInt64 {
    (number.isNaN ? Double.nan : number).bitPattern
  }
}

/// The keys of objects that policies found or made, by the values searched for.
///
/// They are in a table of the store being made, so that they are committed with the rows and survive an
/// interruption.
package final class FoundKeys {
  private let session: StoreSession
  private var statements: Statements?

  private typealias Statements = (search: PreparedStatement, insertion: PreparedStatement)

  package init(_ session: StoreSession) { self.session = session }

  /// Makes the table.
  ///
  /// Make it before source rows are read: SQLite ends a query that looks for partners if a table is
  /// created while it runs.
  package func makeTable() throws(StoreError) {
    try session.transactions.execute(
      "CREATE TABLE main.bulkmigrate_remembered (name BLOB PRIMARY KEY, key INTEGER) WITHOUT ROWID"
    )
  }

  /// Drops the table, which is not part of the finished store.
  package func dropTable() throws(StoreError) {
    try session.transactions.execute("DROP TABLE main.bulkmigrate_remembered")
  }

  package func key(for values: FoundValues) throws(StoreError) -> Int64? {
    try prepared().search.integer([.blob(values.name)])
  }

  /// Adds a key for values, in a batch.
  package func add(_ key: Int64, for values: FoundValues) throws(StoreError) {
    _ = try prepared().insertion.integer([.blob(values.name), .integer(key)])
  }

  private func prepared() throws(StoreError) -> Statements {
    if let statements { return statements }
    let table = "main.bulkmigrate_remembered"
    let prepared = (
      search: try PreparedStatement("SELECT key FROM \(table) WHERE name = ?1", session.connection),
      insertion: try PreparedStatement("INSERT INTO \(table) VALUES (?1, ?2)", session.connection)
    )
    statements = prepared
    return prepared
  }
}
