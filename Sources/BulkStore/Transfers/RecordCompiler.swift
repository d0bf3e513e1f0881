package import BulkSQLite

/// Expresses what SQL computes from the rows of a source table by their records.
///
/// SQL keeps the rest, such as the objects of a to-many relationship.
package struct RecordCompiler {
  let source: SourceTable
  /// The table of one of the two stores with a name; `nil` if its records do not hold its rows.
  let table: (RowMatch.Place, String) -> SourceTable?
  private var programs: [RecordProgram] = []

  /// A compiler for a source table; `nil` if its records do not hold its rows.
  ///
  /// - Parameters:
  ///   - name: The table.
  ///   - database: The source.
  ///   - connection: The connection to which it is attached; its own database is the destination.
  ///   - lookupBytes: The bytes for rows of the destination that are looked for by key.
  /// - Throws: ``StoreError`` if the schema cannot be read.
  init?(
    of name: String,
    in database: SourceTable.Database,
    _ connection: Connection,
    lookupBytes: Int
  ) throws(StoreError) {
    let written = SourceTable.Database(
      RowMatch.Place.destination.rawValue,
      in: connection.file,
      // It may have changed since it was read last.
      keeping: LookupCache(bytes: lookupBytes),
      isUTF8: database.isUTF8
    )
    func table(_ place: RowMatch.Place, _ name: String) throws(SQLiteError) -> SourceTable? {
      try SourceTable(name, of: place == .source ? database : written, connection)
    }
    guard let source = try table(.source, name) else { return nil }
    self.source = source
    self.table = { try? table($0, $1) }
  }

  /// The number of source rows that satisfy conditions, and how many of them satisfy further ones, and so on.
  ///
  /// - Parameters:
  ///   - conditions: The conditions.
  ///   - others: The further ones.
  ///   - goesOn: Called every few thousand rows; returns whether to go on.
  /// - Returns: `nil` if SQL must count.
  func counts(
    where conditions: [RowTransfer.Condition],
    and others: [[RowTransfer.Condition]] = [],
    _ goesOn: () -> Bool
  ) -> [Int64]? {
    var compiler = self
    let fields = others.compactMap { compiler.field(of: $0) }
    guard fields.count == others.count, let copy = compiler.copy(fields, where: conditions),
      let rows = RecordSelection(copy, of: source)
    else { return nil }
    return rows.counts(goesOn)
  }

  /// How the rows of a transfer are made; `nil` if that is not possible.
  func copy(of transfer: RowTransfer) -> RecordCopy? {
    var compiler = self
    let fields = transfer.assignments.compactMap { compiler.field($0.value) }
    guard fields.count == transfer.assignments.count else { return nil }
    return compiler.copy(fields, where: transfer.conditions)
  }

  /// Rows of some fields; `nil` if a condition needs SQL.
  package mutating func copy(
    _ fields: [RecordCopy.Field],
    where conditions: [RowTransfer.Condition],
    and further: [RecordProgram] = [],
    filter: RecordProgram? = nil
  ) -> RecordCopy? {
    var (found, tests) = ([RecordCopy.Condition](), [RecordProgram]())
    for condition in conditions {
      guard add(condition, to: &found, and: &tests) else { return nil }
    }
    return RecordCopy(
      fields,
      where: found,
      and: tests + further,
      filter: filter,
      computing: programs
    )
  }

  /// A field with the value of a program.
  package mutating func field(computing program: RecordProgram) -> RecordCopy.Field {
    programs.append(program)
    return .computed(programs.count - 1)
  }

  // MARK: Fields

  /// How the value of an expression is made; `nil` if that is not possible.
  package mutating func field(_ expression: ColumnExpression) -> RecordCopy.Field? {
    switch expression {
    case .column(let name): return source.field(name)
    case .constant(let value): return .constant(value)
    case .renumbered(.column(let name), let numbers):
      guard case .column(let column) = source.field(name) else { return nil }
      return .renumbered(column, numbers)
    case .storedEntity(.column(let name), .column(let key), _, let expected):
      let numbers = expected.map { ($0, $0 as Int64?) }
      return entity(name, key, Dictionary(numbers) { first, _ in first })
    case .renumbered(.storedEntity(.column(let name), .column(let key), _, let expected), let new):
      let numbers = expected.map { ($0, new[$0]) }
      return entity(name, key, Dictionary(numbers) { first, _ in first })
    case .firstNonNull(.column(let name), let other):
      guard case .column(let column) = source.field(name) else { return nil }
      return field(other).map { .firstNonNull(column, $0) }
    case .byEntity(let cases): return field(of: cases)
    case .shifted(.column(let name), let distance):
      if distance == 0 { return source.field(name) }
      guard case .rowID(let plus) = source.field(name) else { return nil }
      return .rowID(plus: plus + distance)
    case .linked(let link, let part, .column(let key)):
      switch source.field(key) {
      case .column(let column): return .linked(link, part, to: column)
      case .rowID(plus: 0): return .linked(link, part, to: nil)
      case .constant, .rowID, .renumbered, .entity, .firstNonNull, .byNumber, .computed, .linked,
        .given, nil:
        return nil
      }
    case .computed, .columnOfRow:
      var program = RecordProgram()
      return add(expression, to: &program) ? field(computing: program) : nil
    case .firstNonNull, .renumbered, .firstPartner, .placeAtFirstPartner, .mutual, .prefixed,
      .unprefixed, .entityNumber, .storedEntity, .onlyIf, .onlyWith, .shifted, .translated,
      .linked:
      return nil
    }
  }

  private func entity(
    _ name: String,
    _ key: String,
    _ numbers: [Int64: Int64?]
  ) -> RecordCopy.Field? {
    guard
      case .column(let column) = source.field(name), case .column(let key) = source.field(key)
    else { return nil }
    return .entity(column, key: key, numbers)
  }

  private mutating func field(of cases: [ColumnExpression.EntityCase]) -> RecordCopy.Field? {
    guard case .column(let column) = source.field("Z_ENT") else { return nil }
    var fields: [Int64: RecordCopy.Field] = [:]
    for choice in cases {
      guard let field = field(choice.value) else { return nil }
      for entity in choice.entities where fields[entity] == nil { fields[entity] = field }
    }
    return .byNumber(column, fields)
  }

  // MARK: Conditions

  private func add(
    _ condition: RowTransfer.Condition,
    to conditions: inout [RecordCopy.Condition],
    and tests: inout [RecordProgram]
  ) -> Bool {
    switch condition {
    case .entityIn(let numbers): return add("Z_ENT", numbers, to: &conditions)
    case .columnIn(let name, let numbers): return add(name, numbers, to: &conditions)
    case .notNull(.column(let name)):
      guard case .column(let column) = source.field(name) else { return false }
      conditions.append(.isNotNull(column))
      return true
    case .satisfies(let condition): return add(condition, to: &conditions, and: &tests)
    case .notNull, .partner, .matches, .any, .none, .isText, .isLess, .within:
      var program = RecordProgram()
      guard add(condition, to: &program) else { return false }
      tests.append(program)
      return true
    }
  }

  private func add(
    _ name: String,
    _ numbers: [Int64],
    to conditions: inout [RecordCopy.Condition]
  ) -> Bool {
    guard case .column(let column) = source.field(name) else { return false }
    conditions.append(.isIn(column, Set(numbers)))
    return true
  }

  private func add(
    _ condition: RowCondition,
    to conditions: inout [RecordCopy.Condition],
    and tests: inout [RecordProgram]
  ) -> Bool {
    if case .and(let parts) = condition {
      return parts.allSatisfy { add($0, to: &conditions, and: &tests) }
    }
    if case .isNull(.column(let name)) = condition, case .column(let column) = source.field(name) {
      conditions.append(.isNull(column))
      return true
    }
    if case .not(.isNull(.column(let name))) = condition,
      case .column(let column) = source.field(name)
    {
      conditions.append(.isNotNull(column))
      return true
    }
    var program = RecordProgram()
    guard add(condition, to: &program) else { return false }
    tests.append(program)
    return true
  }

  // MARK: Programs

  /// Adds the operations that compute an expression; if it returns `false`, the program is of no use any more.
  package func add(_ expression: ColumnExpression, to program: inout RecordProgram) -> Bool {
    switch expression {
    case .column(let name): return add(column: name, to: &program)
    case .columnOfRow(let column, let table, let key):
      return add(key, to: &program) && add(column, ofRowIn: table, to: &program)
    case .constant(let value): return program.add(constant: value)
    case .firstNonNull(let first, let second):
      return add([first, second], .firstNonNull, to: &program)
    case .computed(let computation): return add(computation, to: &program)
    case .shifted(let key, by: 0): return add(key, to: &program)
    case .shifted(let key, let distance):
      return add([key, .number(distance)], .arithmetic(.sum), to: &program)
    case .entityNumber(let table, let key):
      return add(key, to: &program) && add("Z_ENT", ofRowIn: table, to: &program)
    case .renumbered, .byEntity, .firstPartner, .placeAtFirstPartner, .mutual, .prefixed,
      .unprefixed, .storedEntity, .onlyIf, .onlyWith, .translated, .linked:
      return false
    }
  }

  /// Pushes the value of a column, with values of a kind; `nil` for all that it may hold.
  package func add(
    column name: String,
    as kind: RecordProgram.Kind? = nil,
    to program: inout RecordProgram
  ) -> Bool {
    switch source.field(name) {
    case .rowID(plus: 0)?: program.add(.key)
    case .column(let column)?:
      guard let kind = kind ?? source.kind(of: column) else { return false }
      program.add(.column(column, kind))
    default: return false
    }
    return true
  }

  /// Replaces a key by the value of a column of the row of a table that has it.
  package func add(
    _ column: String,
    as kind: RecordProgram.Kind? = nil,
    ofRowIn table: String,
    to program: inout RecordProgram
  ) -> Bool {
    add(column, as: kind, ofRowIn: table, of: .source, to: &program)
  }

  private func add(
    _ column: String,
    as kind: RecordProgram.Kind?,
    ofRowIn table: String,
    of place: RowMatch.Place,
    to program: inout RecordProgram
  ) -> Bool {
    guard let table = self.table(place, table), case .rowID(plus: 0)? = table.field("Z_PK"),
      case .column(let column)? = table.field(column), let kind = kind ?? table.kind(of: column)
    else { return false }
    program.add(column: column, kind, ofRelated: table)
    return true
  }

  private func add(
    _ operands: [ColumnExpression],
    _ operation: RecordProgram.Operation,
    to program: inout RecordProgram
  ) -> Bool {
    guard operands.allSatisfy({ add($0, to: &program) }) else { return false }
    program.add(operation)
    return true
  }

  private func add(_ computation: ColumnComputation, to program: inout RecordProgram) -> Bool {
    switch computation {
    case .arithmetic(let first, let sign, let second):
      let operation: RecordProgram.Arithmetic =
        switch sign {
        case .plus: .sum
        case .minus: .difference
        case .times: .product
        case .over: .quotient
        }
      return add([first, second], .arithmetic(operation), to: &program)
    case .isNonzero(let value): return add([value], .isNonzero, to: &program)
    case .real(let value): return add([value], .real, to: &program)
    case .text(let value): return add([value], .digits, to: &program)
    case .joined(let first, let second): return add([first, second], .joined, to: &program)
    case .equality(let first, let second): return add([first, second], .equality, to: &program)
    case .conditional(let condition, let first, let second):
      return add(condition, to: &program) && add([first, second], .choice, to: &program)
    case .memberCount, .memberExtreme: return false
    }
  }

  /// Adds the operations that compute whether a condition holds.
  package func add(_ condition: RowCondition, to program: inout RecordProgram) -> Bool {
    switch condition {
    case .constant(let truth): return program.add(constant: .integer(truth ? 1 : 0))
    case .isNull(let value): return add([value], .isNull, to: &program)
    case .same(let first, let second): return add([first, second], .isSame, to: &program)
    case .among(let value, let constants):
      let values = constants.map { ColumnCoding.value(of: $0) }
      guard let first = program.places(ofConstants: values) else { return false }
      return add([value], .isAmong(first: first, count: values.count), to: &program)
    case .ordered(let first, let order, let second):
      return add([first, second], .ordered(order.ofRecords), to: &program)
    case .contains(let text, let part): return add([text, .text(part)], .contains, to: &program)
    case .begins(let text, let part): return add([text, .text(part)], .begins, to: &program)
    case .ends(let text, let part): return add([text, .text(part)], .ends, to: &program)
    case .not(let part):
      guard add(part, to: &program) else { return false }
      program.add(.not)
      return true
    case .and(let parts): return program.add(isAny: false, of: parts) { add($0, to: &$1) }
    case .or(let parts): return program.add(isAny: true, of: parts) { add($0, to: &$1) }
    }
  }
}

extension ColumnExpression {
  fileprivate static func text(_ text: String) -> ColumnExpression { .constant(.text(text)) }
}

extension RowCondition.Order {
  package var ofRecords: RecordProgram.Order {
    switch self {
    case .lessThan: .less
    case .lessThanOrEqualTo: .lessOrEqual
    case .greaterThan: .greater
    case .greaterThanOrEqualTo: .greaterOrEqual
    }
  }
}
