/// The making of a table's records from those of another one: the transfers that need no SQL.
package struct RecordCopy: Sendable {
  /// A value of a column.
  package indirect enum Field: Sendable {
    case constant(SQLiteValue)
    /// The row id of the source row, plus a number.
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
    /// A number that is computed.
    case number(NumberExpression)
    /// A part of the object that a link leads to from the key in a source column, or from the row
    /// id if that is `nil`.
    case linked(Int, LinkedPart, to: Int?)
    /// The value that the caller gives for the row at an index.
    case given(Int)
  }

  /// A condition on a source row.
  package enum Condition: Sendable {
    case isIn(Int, Set<Int64>)
    case isNull(Int)
    case isNotNull(Int)
  }

  /// The values, in the order of a transfer's columns.
  package let fields: [Field]
  /// The conditions, which must all hold.
  package let conditions: [Condition]

  package init(_ fields: [Field], where conditions: [Condition]) {
    self.fields = fields
    self.conditions = conditions
  }
}

/// A number that SQL would compute from the columns of a row.
package indirect enum NumberExpression: Sendable {
  case column(Int)
  case integer(Int64)
  case real(Double)
  case sum(NumberExpression, NumberExpression)
  case difference(NumberExpression, NumberExpression)
  case product(NumberExpression, NumberExpression)
  case quotient(NumberExpression, NumberExpression)
}

/// The conditions on a source row, evaluated row by row.
struct RecordConditions: ~Copyable {
  struct Condition {
    /// The source column.
    let column: Int
    /// The positions of the numbers among which the value must be; `nil` if it must be NULL, or
    /// must not.
    let numbers: Range<Int>?
    /// Whether it must be NULL.
    let isNull: Bool
  }

  /// The conditions; all of them must hold.
  let all: [Condition]
  /// The numbers of all conditions, in ascending order for each.
  private let numbers: UnsafeMutableBufferPointer<Int64>

  init(_ conditions: [RecordCopy.Condition]) {
    var all: [Condition] = []
    var listed: [Int64] = []
    for condition in conditions {
      switch condition {
      case .isNull(let column):
        all.append(Condition(column: column, numbers: nil, isNull: true))
      case .isNotNull(let column):
        all.append(Condition(column: column, numbers: nil, isNull: false))
      case .isIn(let column, let numbers):
        let start = listed.count
        listed += numbers.sorted()
        all.append(Condition(column: column, numbers: start..<listed.count, isNull: false))
      }
    }
    self.all = all
    numbers = .allocate(capacity: listed.count)
    _ = numbers.initialize(from: listed)
  }

  deinit { numbers.deallocate() }

  /// Whether a number is one of those of a condition.
  @inline(__always)
  func contains(_ number: Int64, in places: Range<Int>) -> Bool {
    var (low, high) = (places.lowerBound, places.upperBound)
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
  /// The page with the root of its tree.
  let root: UInt32
  let file: SourceFile
  /// The names of its columns in capitals.
  private let names: [String]
  /// The index of the column that is another name of the row id.
  private let key: Int?
  /// The columns whose integers are read as reals.
  let reals: Set<Int>

  /// A table of an attached source.
  ///
  /// - Returns: `nil` if its rows hold more than its records, such as computed columns.
  /// - Throws: ``SQLiteError`` if the schema cannot be read.
  package init?(_ name: String, in file: SourceFile, _ connection: Connection) throws(SQLiteError) {
    guard let root = try connection.root(ofTable: name, in: "source") else { return nil }
    let columns = try connection.columns(of: name, in: "source")
    // A record may lack the last columns, which then have their default values.
    guard !columns.contains(where: { $0.isHidden || $0.hasDefault }) else { return nil }
    let isAlias = columns.contains(where: \.isIntegerKey) && columns.count(where: \.isInKey) == 1
    // An integer key in descending order is not another name of the row id; then SQLite has an
    // index for it.
    let hasIndex = try connection.value(
      "SELECT 1 FROM pragma_index_list(\(SQLText.quoted(literal: name)), 'source') WHERE origin <> 'c'"
    )
    guard !isAlias || hasIndex == nil else { return nil }
    self.root = root
    self.file = file
    names = columns.map { $0.name.uppercased() }
    reals = Set(columns.indices.filter { columns[$0].affinity == .real })
    key = isAlias ? columns.firstIndex(where: \.isInKey) : nil
  }

  /// The value of a column; `nil` if the column does not exist.
  package func field(_ name: String) -> RecordCopy.Field? {
    guard let column = names.firstIndex(of: name.uppercased()) else {
      return name == "rowid" ? .rowID(plus: 0) : nil
    }
    return column == key ? .rowID(plus: 0) : .column(column)
  }
}
