import BulkSQLite
import BulkStore
import Testing

/// Hands rows on to another sink, and sees that they come as every sink may expect.
final class CheckedRowSink: RowSink {
  /// What was asked for, one line each.
  private(set) var calls: [String] = []
  private let sink: any RowSink
  private var open: Set<String> = []
  private var indexed: Set<String> = []

  /// An index that it claims to make, and does not.
  var forgotten: String?

  init(_ sink: any RowSink) { self.sink = sink }

  var counted: RowCount { sink.counted }

  func begin() throws(StoreError) { try sink.begin() }

  func fill(
    _ table: String,
    _ columns: [String],
    _ body: (TableSink) throws -> Void
  ) throws {
    try begin(table) {
      try sink.fill(table, columns) {
        try body(checked($0, table, columnCount: columns.count))
      }
    }
  }

  func fill(
    by transfers: [RowTransfer],
    _ body: (RangeAppending) throws -> Void
  ) throws {
    let tables = transfers.map(\.destination).joined(separator: " and ")
    try begin(tables, "from \(transfers[0].source)") {
      try sink.fill(by: transfers) { append in
        var last: Int64?
        try withoutActuallyEscaping(append) { append in
          try body { range throws(StoreError) in
            if let last {
              #expect(last < range.lowerBound, "the ranges of \(tables) follow one another")
            }
            last = range.upperBound
            return try append(range)
          }
        }
      }
    }
  }

  func canFillTogether(by transfer: RowTransfer) throws(StoreError) -> Bool {
    try sink.canFillTogether(by: transfer)
  }

  func copy(_ table: FileTable) throws(StoreError) -> Int64 {
    calls.append("copy \(table.name)")
    return try sink.copy(table)
  }

  func insert(_ row: EntityRow) throws(StoreError) {
    calls.append("insert into \(row.shape.table)")
    #expect(!open.contains(row.shape.table), "nobody else changes a table that is being filled")
    try sink.insert(row)
  }

  func knowsToHold(_ check: ReferenceCheck) -> Bool {
    #expect(open.isEmpty, "keys are checked when all tables are filled")
    return sink.knowsToHold(check)
  }

  func knowsNoNull(in column: String, of table: String) -> Bool {
    sink.knowsNoNull(in: column, of: table)
  }

  func make(_ index: SchemaIndex, isKnownToConflict isKnown: Bool) throws(StoreError) -> Bool {
    calls.append("make \(index.name)")
    #expect(open.isEmpty, "indexes are made when all tables are filled")
    indexed.insert(index.table)
    if index.name == forgotten { return true }
    return try sink.make(index, isKnownToConflict: isKnown)
  }

  private func begin(_ table: String, _ source: String? = nil, _ body: () throws -> Void) throws {
    calls.append((["fill", table] + [source].compactMap(\.self)).joined(separator: " "))
    #expect(!indexed.contains(table), "a table is filled before its indexes are made")
    #expect(open.insert(table).inserted, "a table is filled by one at a time")
    defer { open.remove(table) }
    try body()
  }

  private func checked(_ rows: TableSink, _ table: String, columnCount: Int) -> TableSink {
    var last = Int64.min
    return TableSink { values throws(StoreError) in
      #expect(values.count.isMultiple(of: columnCount))
      for start in stride(from: 0, to: values.count, by: columnCount) {
        guard case .integer(let key) = values[start] else {
          Issue.record("a row of \(table) does not begin with a key")
          continue
        }
        #expect(last <= key, "the rows of \(table) come in the order of their keys")
        last = key
      }
      try rows.append(values)
    }
  }
}
