internal import BulkModel
internal import BulkSQLite

extension RecordCompiler {
  func add(
    condition: ColumnExpression,
    to program: inout RecordProgram
  ) throws(NotOfRecords) {
    switch condition {
    case .isNull(let value): try add([value], .isNull, to: &program)
    case .same(let first, let second): try add([first, second], .isSame, to: &program)
    case .among(let value, let constants):
      let values = constants.map { ColumnCoding.value(of: $0) }
      let first = try program.indexes(ofConstants: values)
      try add([value], .isAmong(first: first, count: values.count), to: &program)
    case .isIn(let name, let numbers):
      try add(.among(.column(name), numbers.map { .integer($0) }), to: &program)
    case .ordered(let first, let order, let second):
      try add([first, second], .ordered(order), to: &program)
    case .contains(let text, let part):
      try add([text, .constant(.text(part))], .contains, to: &program)
    case .begins(let text, let part):
      try add([text, .constant(.text(part))], .begins, to: &program)
    case .ends(let text, let part): try add([text, .constant(.text(part))], .ends, to: &program)
    case .partner(let key, let table, let numbers):
      try add(key, to: &program)
      let table = try keyed(table, at: .source)
      guard case .column(let column)? = table.field("Z_ENT") else { throw NotOfRecords() }
      program.add(existsIn: table, where: [.isIn(column, Set(numbers))])
    case .matches(let match): try add(match, to: &program)
    case .not(let part): try add([part], .not, to: &program)
    case .and(let parts): try add(isAny: false, of: parts, to: &program)
    case .or(let parts): try add(isAny: true, of: parts, to: &program)
    default: throw NotOfRecords()
    }
  }

  private func add(
    isAny: Bool,
    of parts: [ColumnExpression],
    to program: inout RecordProgram
  ) throws(NotOfRecords) {
    try program.add(isAny: isAny, of: parts) { part, program throws(NotOfRecords) in
      try add(part, to: &program)
    }
  }

  private func add(_ match: RowMatch, to program: inout RecordProgram) throws(NotOfRecords) {
    let table = try keyed(match.table, at: match.side)
    guard let keys = match.columns.first(where: { $0.name == "Z_PK" }) else { throw NotOfRecords() }
    try program.add(isAny: true, of: keys.keys) { key, program throws(NotOfRecords) in
      try program.add(isAny: false, of: match.columns) { column, program throws(NotOfRecords) in
        guard column != keys else {
          try add(key, to: &program)
          return program.add(existsIn: table, where: [])
        }
        guard case .column(let field)? = table.field(column.name),
          let kind = table.kind(of: field)
        else { throw NotOfRecords() }
        try program.add(isAny: true, of: column.keys) { value, program throws(NotOfRecords) in
          try add(key, to: &program)
          program.add(column: field, kind, ofRelated: table)
          try add(value, to: &program)
          program.add(.equality)
        }
      }
    }
  }

  private func add(_ key: RowMatch.Key, to program: inout RecordProgram) throws(NotOfRecords) {
    guard case .shifted(let value, let distance) = key else { throw NotOfRecords() }
    try add(ColumnExpression.shifted(value, by: distance), to: &program)
  }
}
