package import BulkModel
internal import BulkSQLite
internal import BulkSupport

/// Reads values of source rows, one row at a time.
///
/// Rows are mostly asked for in the order of their keys, so the statement goes on from row to row, and seeks where
/// a row is not the next one.
package final class ObjectValues {
  /// The most bytes of a value that stays in memory until the next row is read.
  private static let keptBytes = 1 << 16

  /// Gives the keys and the values of the rows of a range of keys, in their order.
  private let statement: Statement
  private let kinds: [(type: AttributeType, mayBeFile: Bool)]
  private let store: String
  /// The key of the row at which the statement stands; `nil` where it stands at none.
  private var current: Int64?

  package init(
    _ values: [SelectedColumn],
    in table: String,
    store: String,
    _ session: StoreSession
  ) throws(StoreError) {
    statement = try session.prepare(
      "SELECT s.Z_PK, \(values.map(\.expression.sql).joined(separator: ", ")) "
        + "FROM source.\(SQLText.quoted(table)) AS s WHERE s.Z_PK BETWEEN ?1 AND ?2 ORDER BY s.Z_PK"
    )
    kinds = values.map(\.coding.type)
    self.store = store
  }

  /// One of the values for the row with a key, by its index; `.null` if the row does not exist.
  ///
  /// A binary value in a file beside the store is read from there. The statement keeps the source open until
  /// ``end()``.
  package func value(_ index: Int, at key: Int64) throws -> AttributeValue {
    let (type, mayBeFile) = kinds[index]
    let found = try isAt(key) ? statement.value(at: Int32(index) + 1) : .null
    if found.contentBytes > Self.keptBytes { end() }
    if case .blob(let bytes) = found, mayBeFile,
      let name = ExternalBinaryData.fileName(in: bytes)
    {
      let path = ExternalBinaryData.file(name, of: store)
      return .binary([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    }
    return ColumnCoding.attributeValue(found, of: type, inFiles: mayBeFile)
  }

  /// Ends reading; the next value is sought.
  package func end() {
    statement.reset()
    current = nil
  }

  private func isAt(_ key: Int64) throws(StoreError) -> Bool {
    if current == key { return true }
    do throws(StoreError) {
      if let current, current < key, try advance() == key { return true }
      return try seek(key...Int64.max) == key
    } catch {
      // Another row may be the one that cannot be read.
      return try seek(key...key) == key
    }
  }

  private func seek(_ range: ClosedRange<Int64>) throws(StoreError) -> Int64? {
    statement.reset()
    try statement.bind(range)
    return try advance()
  }

  private func advance() throws(StoreError) -> Int64? {
    current = nil
    current = try statement.step() ? statement.int64(at: 0) : nil
    return current
  }
}
