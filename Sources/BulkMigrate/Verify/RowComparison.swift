internal import BulkModel
internal import BulkSQLite
internal import BulkStore

/// Compares the rows of a table that two stores have, in the order of their keys.
struct RowComparison {
  let table: ComparedTable
  let expected: PersistentStore
  let actual: PersistentStore
  let schema: StoreSchema
  /// Names the object from which one with an entity and a key was made.
  let source: (_ entity: String, _ key: Int64) -> String?

  /// Compares all rows, and reports the rows compared since; an error of the report ends the
  /// comparison.
  ///
  /// Returns the number of expected rows.
  func run(_ report: RowReport, _ found: Finding) throws -> Int64 {
    guard let records = try recordComparison(), records.begin(at: .min) else {
      return try runBySQL(nil, report, found)
    }
    return try run(records, report, found)
  }

  /// Compares all rows: those with the same bytes by their records, the others by SQL.
  ///
  /// Pairs lie in the order of their row ids; where that is not the same, SQL compares all in the order of pairs.
  private func run(
    _ records: RecordComparison,
    _ report: RowReport,
    _ found: Finding
  ) throws -> Int64 {
    var (count, passed): (Int64, Int64) = (0, 0)
    var width = Self.leastWidth
    while true {
      let (rows, stop) = records.pass(atMost: Self.rowsBetweenReports)
      count += rows
      passed += rows
      try report(rows)
      let first: Int64
      switch stop {
      case .limit: continue
      case .end: return count
      case .difference where table.keyCount > 1, .unreadable where table.keyCount > 1:
        var known = count
        return try runBySQL(
          nil,
          { rows in
            let reported = min(rows, known)
            known -= reported
            try report(rows - reported)
          },
          found
        )
      case .unreadable(let last):
        guard let last else { return try count + runBySQL(.min ... .max, report, found) }
        return last == .max ? count : try count + runBySQL(last + 1 ... .max, report, found)
      case .difference(let key): first = key
      }
      // Where many rows differ, SQL compares more at a time.
      width = passed < width ? min(2 * width, Self.mostWidth) : Self.leastWidth
      passed = 0
      let (last, overflow) = first.addingReportingOverflow(width)
      count += try runBySQL(first...(overflow ? .max : last), report, found)
      if overflow || last == .max { return count }
      guard records.begin(at: last + 1) else {
        return try count + runBySQL(last + 1 ... .max, report, found)
      }
    }
  }

  private static let leastWidth: Int64 = 256
  private static let mostWidth: Int64 = 1 << 20

  /// The records of the table in both stores; `nil` if their bytes do not tell their values in the same way.
  private func recordComparison() throws(StoreError) -> RecordComparison? {
    guard let one = expected.schema.table(named: table.name),
      let other = actual.schema.table(named: table.name), one.columns == other.columns,
      one.hasPlainRecords, other.hasPlainRecords, one.rowIDColumn == other.rowIDColumn,
      try expected.textEncoding() == actual.textEncoding()
    else { return nil }
    return try RecordComparison(
      table.name,
      expected.connection,
      actual.connection,
      comparesKeys: table.keyCount == 1
    )
  }

  /// Compares rows by their values, those with keys in a range or all.
  private func runBySQL(
    _ range: ClosedRange<Int64>?,
    _ report: RowReport,
    _ found: Finding
  ) throws -> Int64 {
    let one = try statement(expected, range)
    let other = try statement(actual, range)
    var count: Int64 = 0
    var (hasOne, hasOther) = (try one.step(), try other.step())
    while hasOne || hasOther {
      let order = hasOne && hasOther ? compareKeys(one, other) : hasOne ? -1 : 1
      if order < 0 {
        try found(lone(one, isMissing: true))
      } else if order > 0 {
        try found(lone(other, isMissing: false))
      } else {
        try compare(one, other, found)
      }
      if order <= 0 {
        count += 1
        if count.isMultiple(of: Self.rowsBetweenReports) { try report(Self.rowsBetweenReports) }
        hasOne = try one.step()
      }
      if order >= 0 { hasOther = try other.step() }
    }
    try report(count % Self.rowsBetweenReports)
    return count
  }

  private static var rowsBetweenReports: Int64 { 16_384 }

  private func statement(
    _ store: PersistentStore,
    _ range: ClosedRange<Int64>?
  ) throws(StoreError) -> Statement {
    guard let range else { return try store.connection.prepare(table.sql) }
    let statement = try store.connection.prepare(table.sqlOfRange)
    try statement.bind(range)
    return statement
  }

  /// Less than 0 where the first row comes first, greater than 0 where the other does.
  private func compareKeys(_ one: borrowing Statement, _ other: borrowing Statement) -> Int {
    for index in 0..<Int32(table.keyCount) {
      let (first, second) = (one.int64(at: index), other.int64(at: index))
      if first != second { return first < second ? -1 : 1 }
    }
    return 0
  }

  private func compare(
    _ one: borrowing Statement,
    _ other: borrowing Statement,
    _ found: Finding
  ) throws {
    // Keys in the order of integers may still be others, as 1.5 and 1.
    for column in table.columns {
      if isSame(column, one, other), try isSameLongValue(column, one) { continue }
      try found(difference(column, one, other))
    }
  }

  private func isSame(
    _ column: ComparedTable.Column,
    _ one: borrowing Statement,
    _ other: borrowing Statement
  ) -> Bool {
    guard
      one.hasSameValue(at: column.index, as: other) || isSameWhereMalformed(column, one, other)
    else { return false }
    guard column.isGuarded else { return true }
    return one.hasSameValue(at: column.index + 1, as: other)
      && one.hasSameValue(at: column.index + 2, as: other)
  }

  /// Whether texts are the same as they are read, where bytes that are not UTF-8 are U+FFFD: values that are evaluated row
  /// by row have that, and those that SQL computes have the bytes.
  private func isSameWhereMalformed(
    _ column: ComparedTable.Column,
    _ one: borrowing Statement,
    _ other: borrowing Statement
  ) -> Bool {
    guard case .attribute = column.meaning, one.storageClass(at: column.index) == .text,
      other.storageClass(at: column.index) == .text
    else { return false }
    let (text, otherText) = (one.text(at: column.index), other.text(at: column.index))
    // The expected value is well-formed where it was evaluated; where it is not, the bytes were copied.
    return one.blob(at: column.index).elementsEqual(text.utf8)
      && text.utf8.elementsEqual(otherText.utf8)
  }

  /// Compares values that are too long to be selected, piece by piece; short ones are the same already.
  private func isSameLongValue(
    _ column: ComparedTable.Column,
    _ row: borrowing Statement
  ) throws(StoreError) -> Bool {
    guard let location = table.location(ofLong: column, in: row) else { return true }
    return try expected.connection.hasSameBytes(at: location, as: actual.connection, at: location)
  }

  private func lone(_ row: borrowing Statement, isMissing: Bool) -> StoreDifference {
    guard let pair = table.pair else {
      return difference(isMissing ? .missingRow : .extraRow, row, nil, nil, nil)
    }
    let member = "\(pair.member) \(row.int64(at: 1))"
    return isMissing
      ? difference(.missingPair, row, property, member, nil)
      : difference(.extraPair, row, property, nil, member)
  }

  private func difference(
    _ column: ComparedTable.Column,
    _ one: borrowing Statement,
    _ other: borrowing Statement
  ) -> StoreDifference {
    let (expected, found) = (text(of: column, one), text(of: column, other))
    switch column.meaning {
    case .entity:
      return difference(
        .entity,
        one,
        "entity",
        schema.entityName(ofNumber: one.int64(at: column.index)),
        schema.entityName(ofNumber: other.int64(at: column.index))
      )
    case .version: return difference(.version, one, "Z_OPT", expected, found)
    case .attribute(let name): return difference(.value, one, name, expected, found)
    case .reference(let name, let target):
      func object(_ key: String) -> String { key == "nil" ? key : "\(target) \(key)" }
      return difference(.reference, one, name, object(expected), object(found))
    case .position(let name):
      let member = table.pair.map { " of \($0.member) \(one.int64(at: 1))" } ?? ""
      return difference(.position, one, "\(name), position\(member)", expected, found)
    case .unmanaged, .key: return difference(.value, one, column.name, expected, found)
    }
  }

  private func difference(
    _ kind: StoreDifference.Kind,
    _ row: borrowing Statement,
    _ property: String?,
    _ expected: String?,
    _ found: String?
  ) -> StoreDifference {
    let key = row.int64(at: 0)
    let entity = table.pair?.owner ?? entity(of: row)
    return StoreDifference(
      kind,
      entity: entity,
      key: key,
      property: property,
      expected: expected,
      found: found,
      source: source(entity, key)
    )
  }

  private var property: String? { table.title.split(separator: ".").last.map(String.init) }

  private func entity(of row: borrowing Statement) -> String {
    for column in table.columns {
      if case .entity = column.meaning {
        return schema.entityName(ofNumber: row.int64(at: column.index))
      }
    }
    return table.title
  }

  /// Shortened.
  private func text(of column: ComparedTable.Column, _ row: borrowing Statement) -> String {
    if table.location(ofLong: column, in: row) != nil {
      return "\(row.text(at: column.index + 2)) of \(row.int64(at: column.index + 1)) bytes"
    }
    switch row.storageClass(at: column.index) {
    case .null: return "nil"
    case .integer: return "\(row.int64(at: column.index))"
    case .real: return "\(row.double(at: column.index))"
    case .text: return Self.quoted(row.text(at: column.index))
    case .blob:
      let bytes = row.blob(at: column.index)
      let shown = VersionHash.hexadecimal(Array(bytes.prefix(Self.shownBytes)))
      return "x'\(shown)\(bytes.count > Self.shownBytes ? "…" : "")' of \(bytes.count) bytes"
    }
  }

  private static let shownBytes = 16
  private static let shownCharacters = 60

  private static func quoted(_ text: String) -> String {
    let end = text.index(text.startIndex, offsetBy: shownCharacters, limitedBy: text.endIndex)
    guard let end, end < text.endIndex else { return text.debugDescription }
    return String(text[..<end]).debugDescription + "… of \(text.utf8.count) bytes"
  }
}
