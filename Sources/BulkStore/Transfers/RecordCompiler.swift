internal import BulkModel
package import BulkSQLite

/// Expresses what SQL computes from the rows of a source table by their records.
///
/// SQL keeps the rest, such as the objects of a to-many relationship.
package struct RecordCompiler {
  let source: SourceTable
  /// The table of one of the two stores with a name; `nil` if its records do not hold its rows.
  let table: (RowMatch.Side, String) -> SourceTable?
  private var programs: [RecordProgram] = []

  /// The connection has the database attached; its own database is the destination.
  ///
  /// The bytes are for rows of the destination that are looked for by key. `nil` if the records
  /// of the table do not hold its rows.
  init?(
    of name: String,
    in database: SourceTable.Database,
    _ connection: Connection,
    lookupBytes: Int
  ) throws(StoreError) {
    let written = SourceTable.Database(
      RowMatch.Side.destination.rawValue,
      in: connection.file,
      // It may have changed since it was read last.
      keeping: LookupCache(bytes: lookupBytes),
      isUTF8: database.isUTF8
    )
    func table(_ side: RowMatch.Side, _ name: String) throws(SQLiteError) -> SourceTable? {
      switch side {
      case .source: try SourceTable(name, of: database, connection)
      case .destination: try SourceTable(name, of: written, connection)
      case .associations: nil
      }
    }
    guard let source = try table(.source, name) else { return nil }
    self.source = source
    self.table = { try? table($0, $1) }
  }

  /// The number of source rows that satisfy conditions; how many of them satisfy further ones, and
  /// so on; and how many values each of some columns has in the rows that satisfy the first ones.
  ///
  /// `goesOn` is asked every few thousand rows. Returns `nil` if SQL must count.
  func counts(
    where conditions: [ColumnExpression],
    and others: [[ColumnExpression]] = [],
    valuesIn columns: [String] = [],
    within keys: ClosedRange<Int64> = .min ... .max,
    _ goesOn: () -> Bool
  ) -> [Int64]? {
    var compiler = self
    let further = try? others.map { conditions throws(NotOfRecords) in
      compiler.field(computing: try compiler.program(.and(conditions)))
    }
    let values = try? columns.map { try compiler.field(.column($0)) }
    guard let further, let values,
      let copy = try? compiler.copy(further + values, where: conditions),
      let rows = RecordSelection(copy, of: source)
    else { return nil }
    return rows.counts(keys, goesOn)
  }

  /// `nil` if only SQL can make the rows.
  func copy(of transfer: RowTransfer) -> RecordCopy? {
    var compiler = self
    let fields = try? transfer.assignments.map { try compiler.field($0.value) }
    return fields.flatMap { try? compiler.copy($0, where: transfer.conditions) }
  }

  package mutating func copy(
    _ fields: [RecordCopy.Field],
    where conditions: [ColumnExpression],
    and further: [RecordProgram] = [],
    filter: RecordProgram? = nil
  ) throws(NotOfRecords) -> RecordCopy {
    var (found, tests) = ([RecordCopy.Condition](), [RecordProgram]())
    for condition in conditions { try add(condition, to: &found, and: &tests) }
    return RecordCopy(
      fields,
      where: found,
      and: tests + further,
      filter: filter,
      computing: programs
    )
  }

  package mutating func field(computing program: RecordProgram) -> RecordCopy.Field {
    programs.append(program)
    return .computed(programs.count - 1)
  }

  package mutating func field(
    _ expression: ColumnExpression
  ) throws(NotOfRecords) -> RecordCopy.Field {
    switch expression {
    case .column(let name), .shifted(.column(let name), by: 0):
      guard let field = source.field(name) else { throw NotOfRecords() }
      return field
    case .constant(let value): return .constant(value)
    case .renumbered(.column(let name), let numbers): return .renumbered(try column(name), numbers)
    case .storedEntity(.column(let name), .column(let key), _, let expected):
      let numbers = Dictionary(firstOf: expected.map { ($0, $0 as Int64?) })
      return .entity(try column(name), key: try column(key), numbers)
    case .renumbered(.storedEntity(.column(let name), .column(let key), _, let expected), let new):
      let numbers = Dictionary(firstOf: expected.map { ($0, new[$0]) })
      return .entity(try column(name), key: try column(key), numbers)
    case .firstNonNull(.column(let name), let other):
      return .firstNonNull(try column(name), try field(other))
    case .byEntity(let cases): return try field(of: cases)
    case .shifted(.column(let name), let distance):
      guard case .rowID(let plus) = source.field(name) else { throw NotOfRecords() }
      return .rowID(plus: plus + distance)
    case .linked(let link, let part, .column(let key)):
      if case .rowID(plus: 0)? = source.field(key) { return .linked(link, part, to: nil) }
      return .linked(link, part, to: try column(key))
    case .renumbered, .firstPartner, .positionAtFirstPartner, .mutual, .prefixed,
      .unprefixed, .entityNumber, .storedEntity, .onlyIf, .onlyWith, .shifted, .translated,
      .linked:
      throw NotOfRecords()
    default: return field(computing: try program(expression))
    }
  }

  private func column(_ name: String) throws(NotOfRecords) -> Int {
    guard case .column(let column) = source.field(name) else { throw NotOfRecords() }
    return column
  }

  private func isInRecord(_ name: String) -> Bool { (try? column(name)) != nil }

  private mutating func field(
    of cases: [ColumnExpression.EntityCase]
  ) throws(NotOfRecords) -> RecordCopy.Field {
    let column = try column("Z_ENT")
    var fields: [Int64: RecordCopy.Field] = [:]
    for choice in cases {
      let field = try field(choice.value)
      for entity in choice.entities where fields[entity] == nil { fields[entity] = field }
    }
    return .byNumber(column, fields)
  }

  private func add(
    _ condition: ColumnExpression,
    to conditions: inout [RecordCopy.Condition],
    and tests: inout [RecordProgram]
  ) throws(NotOfRecords) {
    switch condition {
    case .and(let parts): for part in parts { try add(part, to: &conditions, and: &tests) }
    case .isIn(let name, let numbers): conditions.append(.isIn(try column(name), Set(numbers)))
    case .isNull(.column(let name)) where isInRecord(name):
      conditions.append(.isNull(try column(name)))
    case .not(.isNull(.column(let name))) where isInRecord(name):
      conditions.append(.isNull(try column(name), false))
    default: tests.append(try program(condition))
    }
  }

  private func program(_ expression: ColumnExpression) throws(NotOfRecords) -> RecordProgram {
    try RecordProgram { program throws(NotOfRecords) in try add(expression, to: &program) }
  }

  package func add(
    _ expression: ColumnExpression,
    to program: inout RecordProgram
  ) throws(NotOfRecords) {
    switch expression {
    case .column(let name): try add(column: name, to: &program)
    case .columnOfRow(let column, let table, let key):
      try add(key, to: &program)
      try add(column, ofRowIn: table, to: &program)
    case .constant(let value): try program.add(constant: value)
    case .firstNonNull(let first, let second):
      try add([first, second], .firstNonNull, to: &program)
    case .shifted(let key, by: 0): try add(key, to: &program)
    case .shifted(let key, let distance):
      try add([key, .number(distance)], .arithmetic(.sum), to: &program)
    case .entityNumber(let table, let key):
      try add(key, to: &program)
      try add("Z_ENT", ofRowIn: table, to: &program)
    case .arithmetic(let first, let operation, let second):
      try add([first, second], .arithmetic(operation), to: &program)
    case .isNonzero(let value): try add([value], .isNonzero, to: &program)
    case .real(let value): try add([value], .real, to: &program)
    // SQL converts what is not an integer.
    case .whole(.column(let name)): try add(column: name, as: .integer, to: &program)
    case .whole(.columnOfRow(let column, let table, let key)):
      try add(key, to: &program)
      try add(column, as: .integer, ofRowIn: table, to: &program)
    case .text(let value): try add([value], .digits, to: &program)
    case .joined(let first, let second): try add([first, second], .joined, to: &program)
    case .equality(let first, let second): try add([first, second], .equality, to: &program)
    case .conditional(let condition, let first, let second):
      try add([condition, first, second], .choice, to: &program)
    case .isNull, .same, .among, .isIn, .ordered, .contains, .begins, .ends, .partner, .matches,
      .not, .and, .or:
      try add(condition: expression, to: &program)
    case .renumbered, .byEntity, .firstPartner, .positionAtFirstPartner, .mutual, .prefixed,
      .unprefixed, .storedEntity, .onlyIf, .onlyWith, .translated, .linked, .memberCount,
      .memberExtreme, .whole:
      throw NotOfRecords()
    }
  }

  /// Pushes the value of a column with values of a kind; `nil` for all that it may hold.
  package func add(
    column name: String,
    as kind: RecordProgram.Kind? = nil,
    to program: inout RecordProgram
  ) throws(NotOfRecords) {
    if case .rowID(plus: 0)? = source.field(name) { return program.add(.key) }
    let column = try column(name)
    guard let kind = kind ?? source.kind(of: column), source.holds(kind) else {
      throw NotOfRecords()
    }
    program.add(.column(column, kind))
  }

  /// The key is replaced by the value.
  package func add(
    _ column: String,
    as kind: RecordProgram.Kind? = nil,
    ofRowIn table: String,
    to program: inout RecordProgram
  ) throws(NotOfRecords) {
    let table = try keyed(table, at: .source)
    guard case .column(let column)? = table.field(column),
      let kind = kind ?? table.kind(of: column), table.holds(kind)
    else { throw NotOfRecords() }
    program.add(column: column, kind, ofRelated: table)
  }

  /// A table whose rows are found by `Z_PK`.
  func keyed(_ name: String, at side: RowMatch.Side) throws(NotOfRecords) -> SourceTable {
    guard let table = table(side, name), case .rowID(plus: 0)? = table.field("Z_PK") else {
      throw NotOfRecords()
    }
    return table
  }

  func add(
    _ operands: [ColumnExpression],
    _ operation: RecordProgram.Operation,
    to program: inout RecordProgram
  ) throws(NotOfRecords) {
    for operand in operands { try add(operand, to: &program) }
    program.add(operation)
  }
}
