internal import BulkModel
internal import BulkSQLite

extension RecordCompiler {
  /// A field that is 1 where all conditions hold.
  ///
  /// - Throws: ``NotOfRecords`` if one needs SQL.
  mutating func field(
    of conditions: [RowTransfer.Condition]
  ) throws(NotOfRecords) -> RecordCopy.Field {
    field(
      computing: try RecordProgram { program throws(NotOfRecords) in
        try add(allOf: conditions, to: &program)
      }
    )
  }

  /// Adds the operations that compute whether a condition holds.
  ///
  /// - Throws: ``NotOfRecords`` if it needs SQL.
  func add(
    _ condition: RowTransfer.Condition,
    to program: inout RecordProgram
  ) throws(NotOfRecords) {
    switch condition {
    case .entityIn(let numbers): try add(.column("Z_ENT"), isIn: numbers, to: &program)
    case .columnIn(let name, let numbers): try add(.column(name), isIn: numbers, to: &program)
    case .notNull(let value): try add(RowCondition.not(.isNull(value)), to: &program)
    case .partner(let key, let table, let numbers):
      try add(key, to: &program)
      let table = try keyed(table, at: .source)
      guard case .column(let column)? = table.field("Z_ENT") else { throw NotOfRecords() }
      program.add(existsIn: table, where: [.isIn(column, Set(numbers))])
    case .matches(let match): try add(match, to: &program)
    case .any(let sets): try add(anyOf: sets, to: &program)
    case .none(let sets):
      try add(anyOf: sets, to: &program)
      program.add(.not)
    case .isLess(let value, let other):
      try add(RowCondition.ordered(value, .less, other), to: &program)
    case .isText(let column, let text):
      try add(.computed(.equality(.column(column), .constant(.text(text)))), to: &program)
    case .satisfies(let condition): try add(condition, to: &program)
    }
  }

  private func add(
    _ value: ColumnExpression,
    isIn numbers: [Int64],
    to program: inout RecordProgram
  ) throws(NotOfRecords) {
    try add(.among(value, numbers.map { .integer($0) }), to: &program)
  }

  private func add(
    allOf conditions: [RowTransfer.Condition],
    to program: inout RecordProgram
  ) throws(NotOfRecords) {
    try program.add(isAny: false, of: conditions) { condition, program throws(NotOfRecords) in
      try add(condition, to: &program)
    }
  }

  private func add(
    anyOf sets: [[RowTransfer.Condition]],
    to program: inout RecordProgram
  ) throws(NotOfRecords) {
    try program.add(isAny: true, of: sets) { set, program throws(NotOfRecords) in
      try add(allOf: set, to: &program)
    }
  }

  /// Adds whether there is a row with a key and some values.
  private func add(_ match: RowMatch, to program: inout RecordProgram) throws(NotOfRecords) {
    let table = try keyed(match.table, at: match.place)
    guard let keys = match.columns.first(where: { $0.name == "Z_PK" }) else { throw NotOfRecords() }
    try program.add(isAny: true, of: keys.keys) { key, program throws(NotOfRecords) in
      try program.add(isAny: false, of: match.columns) { column, program throws(NotOfRecords) in
        guard column != keys else {
          try add(key, to: &program)
          return program.add(existsIn: table, where: [])
        }
        guard case .column(let place)? = table.field(column.name),
          let kind = table.kind(of: place)
        else { throw NotOfRecords() }
        try program.add(isAny: true, of: column.keys) { value, program throws(NotOfRecords) in
          try add(key, to: &program)
          program.add(column: place, kind, ofRelated: table)
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
