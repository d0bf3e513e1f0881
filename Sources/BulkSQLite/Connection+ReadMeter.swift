internal import CBulkSQLite

extension Connection {
  /// The meter of a file that is read as ``Access/source``, by the name of its schema; `nil` for other files.
  package func readMeter(of schema: String) -> ReadMeter? {
    var meter: UnsafeMutableRawPointer?
    let code = sqlite3_file_control(handle, schema, ReadMeter.operation, &meter)
    guard code == SQLITE_OK, let meter else { return nil }
    return Unmanaged<ReadMeter>.fromOpaque(meter).takeUnretainedValue()
  }
}
