/// The making of a table's records from those of another one: the transfers that need no SQL.
package struct RecordCopy {
  package indirect enum Field: Sendable {
    case constant(SQLiteValue)
    case rowID(plus: Int64)
    /// The value of a source column, by its index.
    case column(Int)
    /// The number for an integer in a source column; NULL for one that has none.
    case renumbered(Int, [Int64: Int64])
    /// The new number for that of a related object's entity, in a column beside its key; the
    /// meaning of a number that is not listed beside a key is left to SQL.
    case entity(Int, key: Int, [Int64: Int64?])
    /// A source column, or another value where that is NULL.
    case firstNonNull(Int, Field)
    /// The value for the number in a source column; NULL for one that has none.
    case byNumber(Int, [Int64: Field])
    /// A value that is computed by one of ``programs``.
    case computed(Int)
    /// A part of the object that a link leads to from the key in a source column, or from the row
    /// id if that is `nil`.
    case linked(Int, LinkedPart, to: Int?)
    /// The value that the caller gives for the row at an index.
    case given(Int)
  }

  /// That a column has one of some numbers; without numbers, that it is NULL or not.
  package struct Condition: Hashable, Sendable {
    let column: Int
    var numbers: Set<Int64>?
    var isNull = false

    package static func isIn(_ column: Int, _ numbers: Set<Int64>) -> Condition {
      Condition(column: column, numbers: numbers)
    }

    package static func isNull(_ column: Int, _ isNull: Bool = true) -> Condition {
      Condition(column: column, isNull: isNull)
    }
  }

  /// In the order of a transfer's columns.
  package let fields: [Field]
  /// All of them must hold.
  package let conditions: [Condition]
  /// Further conditions, which hold where they are 1.
  package let tests: [RecordProgram]
  /// A condition of its own, which holds where it is 1; rows that do not satisfy it are counted.
  let filter: RecordProgram?
  package let programs: [RecordProgram]

  package init(
    _ fields: [Field],
    where conditions: [Condition],
    and tests: [RecordProgram],
    filter: RecordProgram?,
    computing programs: [RecordProgram]
  ) {
    self.fields = fields
    self.conditions = conditions
    self.tests = tests
    self.filter = filter
    self.programs = programs
  }

  var columns: [Int] {
    fields.flatMap(\.columns) + (programs + tests).flatMap(\.columns) + (filter?.columns ?? [])
  }
}

/// The conditions on a source row, evaluated row by row.
struct RecordConditions: ~Copyable {
  /// With the positions of its numbers, which are in ascending order.
  typealias Condition = (column: Int, numbers: Range<Int>?, isNull: Bool)

  /// All of them must hold.
  let all: [Condition]
  private let numbers: UnsafeMutableBufferPointer<Int64>

  init(_ conditions: [RecordCopy.Condition]) {
    var listed: [Int64] = []
    all = conditions.map { condition in
      let start = listed.count
      listed += condition.numbers?.sorted() ?? []
      let offsets = condition.numbers.map { _ in start..<listed.count }
      return (condition.column, offsets, condition.isNull)
    }
    numbers = .allocate(capacity: listed.count)
    _ = numbers.initialize(from: listed)
  }

  deinit { numbers.deallocate() }

  @inline(__always)
  func contains(_ number: Int64, in range: Range<Int>) -> Bool {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] == number { return true }
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return false
  }
}

/// A table of the source whose records are read without SQLite.
package struct SourceTable {
  let root: UInt32
  let database: Database
  private let names: [String]
  /// The index of the column that is another name of the row id.
  let key: Int?
  private let affinities: [ColumnAffinity]
  /// Whether its texts are UTF-8 and compare byte by byte.
  private let comparesBytes: Bool
  private let indexes: [TableInfo.Index]

  package struct Database {
    let name: String
    let file: SourceFile
    let kept: LookupCache
    package let isUTF8: Bool

    package init(_ name: String, in file: SourceFile, keeping kept: LookupCache, isUTF8: Bool) {
      (self.name, self.file, self.kept, self.isUTF8) = (name, file, kept, isUTF8)
    }
  }

  /// A table of a database; `nil` if its rows hold more than its records, such as computed columns.
  package init?(
    _ name: String,
    of database: Database,
    _ connection: Connection
  ) throws(SQLiteError) {
    guard let table = try connection.table(name, in: database.name),
      // A record may lack the last columns, which then have their default values.
      !table.columns.contains(where: { $0.isHidden || $0.hasDefault }),
      table.key == nil || table.indexes.allSatisfy({ $0.origin == "c" })
    else { return nil }
    (root, key, self.database) = (table.root, table.key, database)
    names = table.columns.map { $0.name.uppercased() }
    affinities = table.columns.map(\.affinity)
    comparesBytes = database.isUTF8 && !table.sql.uppercased().contains("COLLATE")
    indexes = table.indexes.filter { $0.root > 1 && !$0.isPartial }.sorted { $0.name < $1.name }
  }

  /// The first index over some columns; `nil` if there is none, or one of the columns is not there.
  func index(over columns: [Int?], descending descends: [Bool]) -> SourceIndex? {
    indexes.first { $0.columns == columns && $0.descends == descends }
      .map { SourceIndex(root: $0.root, file: database.file) }
  }

  package func field(_ name: String) -> RecordCopy.Field? {
    guard let column = names.firstIndex(of: name.uppercased()) else {
      return name == "rowid" ? .rowID(plus: 0) : nil
    }
    return column == key ? .rowID(plus: 0) : .column(column)
  }

  func isSame(as other: SourceTable) -> Bool {
    (root, database.name) == (other.root, other.database.name)
  }

  /// Whether integers of a column are read as reals.
  func hasReals(in column: Int) -> Bool { affinities[column] == .real }

  /// Whether values of a kind are read as they are: texts are UTF-8.
  package func holds(_ kind: RecordProgram.Kind) -> Bool {
    database.isUTF8 || kind != .text && kind != .validText
  }

  /// The values of a column that SQL compares as they are; `nil` if it holds blobs.
  package func kind(of column: Int) -> RecordProgram.Kind? {
    switch affinities[column] {
    case .integer, .numeric: .number
    case .real: .real
    case .text: comparesBytes ? .text : nil
    case .blob: nil
    }
  }
}
