internal import BulkModel
internal import BulkSQLite

extension RecordCompiler {
  /// A field that is 1 where all conditions hold; `nil` if that is not possible.
  mutating func field(of conditions: [RowTransfer.Condition]) -> RecordCopy.Field? {
    var program = RecordProgram()
    guard program.add(isAny: false, of: conditions, { add($0, to: &$1) }) else { return nil }
    return field(computing: program)
  }

  /// Adds the operations that compute whether a condition holds; if it returns `false`, the program is of no use any
  /// more.
  func add(_ condition: RowTransfer.Condition, to program: inout RecordProgram) -> Bool {
    switch condition {
    case .entityIn(let numbers): return add(.column("Z_ENT"), isIn: numbers, to: &program)
    case .columnIn(let name, let numbers): return add(.column(name), isIn: numbers, to: &program)
    case .notNull(let value):
      guard add(value, to: &program) else { return false }
      program.add(.isNull)
      program.add(.not)
      return true
    case .partner(let key, let table, let numbers):
      guard add(key, to: &program), let table = self.table(.source, table),
        case .rowID(plus: 0)? = table.field("Z_PK"),
        case .column(let column)? = table.field("Z_ENT")
      else { return false }
      program.add(existsIn: table, where: [.isIn(column, Set(numbers))])
      return true
    case .matches(let match): return add(match, to: &program)
    case .any(let sets): return add(anyOf: sets, to: &program)
    case .none(let sets):
      guard add(anyOf: sets, to: &program) else { return false }
      program.add(.not)
      return true
    case .isLess(let value, let other):
      guard add(value, to: &program), add(other, to: &program) else { return false }
      program.add(.ordered(.less))
      return true
    case .within(let key, let range):
      let ends: [(RowCondition.Order, Int64)] = [
        (.greaterThanOrEqualTo, range.lowerBound), (.lessThanOrEqualTo, range.upperBound),
      ]
      return add(.and(ends.map { .ordered(key, $0, .number($1)) }), to: &program)
    case .isText(let column, let text):
      guard add(.column(column), to: &program), program.add(constant: .text(text)) else {
        return false
      }
      program.add(.equality)
      return true
    case .satisfies(let condition): return add(condition, to: &program)
    }
  }

  private func add(
    _ value: ColumnExpression,
    isIn numbers: [Int64],
    to program: inout RecordProgram
  ) -> Bool {
    add(.among(value, numbers.map { .integer($0) }), to: &program)
  }

  private func add(
    anyOf sets: [[RowTransfer.Condition]],
    to program: inout RecordProgram
  ) -> Bool {
    program.add(isAny: true, of: sets) { set, program in
      program.add(isAny: false, of: set) { add($0, to: &$1) }
    }
  }

  /// Adds whether there is a row with a key and some values.
  private func add(_ match: RowMatch, to program: inout RecordProgram) -> Bool {
    guard let table = table(match.place, match.table), case .rowID(plus: 0)? = table.field("Z_PK"),
      let keys = match.columns.first(where: { $0.name == "Z_PK" })
    else { return false }
    return program.add(isAny: true, of: keys.keys) { key, program in
      program.add(isAny: false, of: match.columns) { column, program in
        guard column != keys else {
          guard add(key, to: &program) else { return false }
          program.add(existsIn: table, where: [])
          return true
        }
        guard case .column(let place)? = table.field(column.name),
          let kind = table.kind(of: place)
        else { return false }
        return program.add(isAny: true, of: column.keys) { value, program in
          guard add(key, to: &program) else { return false }
          program.add(column: place, kind, ofRelated: table)
          guard add(value, to: &program) else { return false }
          program.add(.equality)
          return true
        }
      }
    }
  }

  private func add(_ key: RowMatch.Key, to program: inout RecordProgram) -> Bool {
    guard case .shifted(let value, let distance) = key else { return false }
    return add(ColumnExpression.shifted(value, by: distance), to: &program)
  }
}
