/// A value that is computed from a row of a source table: a flat list of operations on a stack.
///
/// Every operation does what SQL and expressions do alike. Any other value, such as a text in a column of numbers,
/// leaves the row to SQL, or to the evaluator.
package struct RecordProgram {
  /// The values that a column may have apart from NULL; any other one needs SQL.
  package enum Kind: Sendable {
    case integer
    case number
    /// Numbers, which are all read as reals.
    case real
    case text
    /// Texts that are valid UTF-8.
    case validText
  }

  /// By its sign in SQL.
  package enum Arithmetic: String, Sendable {
    case sum = "+"
    case difference = "-"
    case product = "*"
    case quotient = "/"
    case remainder = "%"
  }

  /// A function of some numbers; NULL does not count.
  package enum Fold: Sendable {
    case sum
    case average, median
  }

  /// By its sign in SQL.
  package enum Order: String, Sendable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    package var holdsForEqual: Bool { self == .lessOrEqual || self == .greaterOrEqual }
  }

  package enum Operation: Sendable {
    /// Pushes the value of a column, by its index.
    case column(Int, Kind)
    case key
    /// Pushes one of ``constants``.
    case constant(Int)
    /// Replaces a key by the value of a column of the row that has it in one of ``tables``; NULL if there is none.
    case related(Int, column: Int, Kind)
    /// Whether one of ``tables`` has a row with a key.
    case exists(Int)
    /// The result that SQL gives, which is a real number where it is beyond 64 bits and NULL for a division by zero.
    case arithmetic(Arithmetic)
    /// The exact result; none that is beyond 64 bits, or for a division by zero.
    case exact(Arithmetic)
    case real
    /// 1 for a number other than zero, 0 for zero.
    case isNonzero
    /// A text made from a text by one of ``functions``.
    case text(Int)
    case digits
    case joined
    case firstNonNull
    /// An integer outside a range, from one of ``constants`` to the next one, needs SQL.
    case within(Int)
    /// 1 or 0; NULL where one of both is NULL.
    case equality
    case isNull
    /// Whether two values are equal, or both NULL.
    case isSame
    case ordered(Order)
    /// Whether a value is one of ``constants``, by their indexes.
    case isAmong(first: Int, count: Int)
    case contains
    case begins
    case ends
    case not
    /// Whether all, or any, of some truths hold.
    case all(Int)
    case any(Int)
    /// Where whether the value holds is as given, leaves that and skips operations; else takes the value away.
    case end(ifTrue: Bool, skipping: Int)
    case fold(Fold, Int)
    /// The second of three values if the first one holds, else the third.
    case choice
  }

  package struct Function: Sendable {
    /// The letters that differ by `0x20` from those of the result, in a text of ASCII; `nil` if that is not so.
    let letters: ClosedRange<UInt8>?
    let result: @Sendable (String) -> String

    /// A function of texts; of texts of ASCII it only changes the case of some letters.
    package init(
      changing letters: ClosedRange<UInt8>?,
      _ result: @escaping @Sendable (String) -> String
    ) {
      (self.letters, self.result) = (letters, result)
    }
  }

  private(set) var operations: [Operation] = []
  /// Numbers, texts and NULL.
  private(set) var constants: [SQLiteValue] = []
  private(set) var tables: [Related] = []
  private(set) var functions: [Function] = []

  struct Related {
    let table: SourceTable
    let conditions: [RecordCopy.Condition]
  }

  package init() {}

  package init(
    _ add: (inout RecordProgram) throws(NotOfRecords) -> Void
  ) throws(NotOfRecords) {
    try add(&self)
  }

  package mutating func add(_ operation: Operation) { operations.append(operation) }

  /// Throws if it is a blob.
  package mutating func add(constant value: SQLiteValue) throws(NotOfRecords) {
    add(.constant(try indexes(ofConstants: [value])))
  }

  /// Returns the index of the first one; throws if one of them is a blob.
  package mutating func indexes(ofConstants values: [SQLiteValue]) throws(NotOfRecords) -> Int {
    for value in values {
      switch value {
      case .blob, .streamed: throw NotOfRecords()
      case .null, .integer, .real, .text: constants.append(value)
      }
    }
    return constants.count - values.count
  }

  package mutating func add(_ function: Function) {
    functions.append(function)
    add(.text(functions.count - 1))
  }

  /// The key is replaced.
  package mutating func add(column: Int, _ kind: Kind, ofRelated table: SourceTable) {
    add(.related(index(of: table), column: column, kind))
  }

  /// The key is replaced by whether there is such a row.
  package mutating func add(existsIn table: SourceTable, where conditions: [RecordCopy.Condition]) {
    if conditions.isEmpty { return add(.exists(index(of: table))) }
    tables.append(Related(table: table, conditions: conditions))
    add(.exists(tables.count - 1))
  }

  private mutating func index(of table: SourceTable) -> Int {
    let known = tables.firstIndex { $0.conditions.isEmpty && $0.table.isSame(as: table) }
    if let known { return known }
    tables.append(Related(table: table, conditions: []))
    return tables.count - 1
  }

  /// Adds parts of which all must hold, or one: those behind one that decides are not computed.
  package mutating func add<Part>(
    isAny: Bool,
    of parts: [Part],
    _ add: (Part, inout RecordProgram) throws(NotOfRecords) -> Void
  ) throws(NotOfRecords) {
    if parts.isEmpty { return try self.add(constant: .integer(isAny ? 0 : 1)) }
    var ends: [Int] = []
    for (index, part) in parts.enumerated() {
      if index > 0 {
        ends.append(operations.count)
        operations.append(.end(ifTrue: isAny, skipping: 0))
      }
      try add(part, &self)
    }
    for end in ends {
      operations[end] = .end(ifTrue: isAny, skipping: operations.count - end - 1)
    }
  }

  var columns: [Int] {
    operations.compactMap { if case .column(let column, _) = $0 { column } else { nil } }
  }

  func columns(of table: Int) -> [Int] {
    operations.compactMap {
      if case .related(table, let column, _) = $0 { column } else { nil }
    }
  }
}

/// No program has the values of something, so SQL or the evaluator computes it.
package struct NotOfRecords: Error {
  package init() {}
}
