internal import BulkSupport
internal import BulkMapping
internal import BulkModel
package import BulkSQLite
package import BulkStore

extension InstanceCreation {
  /// `nil` where something needs SQL or the evaluator in every row.
  package func records(
    of rows: PartlyGivenRows,
    by compiler: RecordCompiler,
    in source: StoreSchema
  ) -> RecordCopy? {
    guard elements == nil, grouping == nil, mapping.derivesKeys else { return nil }
    let programCompiler = programCompiler(by: compiler, in: source)
    let kept = filterOfRecords(by: compiler, in: source)
    if kept == nil, filter != nil { return nil }
    return try? rows.copy(
      by: compiler,
      keyOffset: mapping.keyOffset,
      where: transfer.conditions,
      kept
    ) { name throws(NotOfRecords) in
      let found = evaluations.first { $0.attribute.name == name }
      guard case .program(let compiled)? = found?.source else { throw NotOfRecords() }
      return try RecordProgram { program throws(NotOfRecords) in
        try programCompiler.add(compiled, to: &program)
      }
    }
  }

  /// `nil` where it has no filter, or where only the evaluator knows in every row.
  ///
  /// Without a compiler it tells whether there may be a program.
  package func filterOfRecords(
    by compiler: RecordCompiler?,
    in source: StoreSchema
  ) -> RecordProgram? {
    guard let filter else { return nil }
    let programCompiler = programCompiler(by: compiler, in: source)
    return try? RecordProgram { program throws(NotOfRecords) in
      try programCompiler.add(filter.root, of: filter.inputs, to: &program)
    }
  }

  private func programCompiler(
    by compiler: RecordCompiler?,
    in source: StoreSchema
  ) -> RecordProgramCompiler {
    RecordProgramCompiler(compiler: compiler, inputs: InputCompiler(source), entity: mapping.source)
  }
}

/// Expresses what the evaluator computes from source rows by their records.
///
/// A program has the same values as the evaluator, or none: a row for which it has none is evaluated. What no program
/// computes throws ``NotOfRecords``.
private struct RecordProgramCompiler {
  /// `nil` to find out whether there may be a program.
  let compiler: RecordCompiler?
  let inputs: InputCompiler
  let entity: EntityDescription

  /// Throws ``NotOfRecords`` if only the evaluator knows the value.
  func add(_ compiled: ConvertedProgram, to program: inout RecordProgram) throws(NotOfRecords) {
    let (root, type) = (compiled.program.root, compiled.conversion.attribute.attributeType)
    try add(root, of: compiled.program.inputs, to: &program)
    switch type.kind {
    case .integer where root.type.integerRange != nil:
      guard let range = type.integerRange else { throw NotOfRecords() }
      let ends = [range.lowerBound, range.upperBound].map { SQLiteValue.integer($0) }
      program.add(.within(try program.indexes(ofConstants: ends)))
    case .double where root.type.isNumber: program.add(.real)
    case .string where root.type == .string, .date where root.type == .date: break
    default: throw NotOfRecords()
    }
  }

  private func add(
    _ node: ExpressionNode,
    of program: [SourceInput],
    to result: inout RecordProgram
  ) throws(NotOfRecords) {
    switch node.operation {
    case .constant(.attribute(let value)):
      switch value {
      case .null, .integer, .double, .string, .date:
        try result.add(constant: ColumnCoding.value(of: value))
      default: throw NotOfRecords()
      }
    case .input(let index, frame: 0): try add(program[index], to: &result)
    case .call(let function, let arguments):
      if let fold = function.fold, case .aggregate(let elements)? = arguments.first?.operation {
        for element in elements { try add(element, of: program, to: &result) }
        return result.add(.fold(fold, elements.count))
      }
      for argument in arguments { try add(argument, of: program, to: &result) }
      if let text = function.textFunction, arguments.count == 1 {
        return result.add(text.ofRecords)
      }
      guard let operation = function.arithmeticOperation, arguments.count == 2 else {
        throw NotOfRecords()
      }
      result.add(.exact(operation.ofRecords))
    case .ternary(let condition, let first, let second):
      try add(condition, of: program, to: &result)
      try add(first, of: program, to: &result)
      try add(second, of: program, to: &result)
      result.add(.choice)
    default: throw NotOfRecords()
    }
  }

  private func add(
    _ input: SourceInput,
    to result: inout RecordProgram
  ) throws(NotOfRecords) {
    guard case .attribute = input.content,
      let found = inputs.attribute(input.path, from: entity),
      let kind = found.attribute.attributeType.kind?.ofRecords
    else { throw NotOfRecords() }
    switch found.expression {
    case .column(let name): try compiler?.add(column: name, as: kind, to: &result)
    case .columnOfRow(let name, let table, let key):
      try compiler?.add(key, to: &result)
      try compiler?.add(name, as: kind, ofRowIn: table, to: &result)
    default: throw NotOfRecords()
    }
  }

  /// Throws ``NotOfRecords`` if only the evaluator knows.
  func add(
    _ predicate: PredicateNode,
    of program: [SourceInput],
    to result: inout RecordProgram
  ) throws(NotOfRecords) {
    switch predicate {
    case .constant(let truth): try result.add(constant: .integer(truth ? 1 : 0))
    case .not(let part):
      try add(part, of: program, to: &result)
      result.add(.not)
    case .and(let parts):
      for part in parts { try add(part, of: program, to: &result) }
      result.add(.all(parts.count))
    case .or(let parts):
      for part in parts { try add(part, of: program, to: &result) }
      result.add(.any(parts.count))
    case .comparison(let comparison):
      let (left, right) = (comparison.left, comparison.right)
      guard comparison.modifier == .direct, comparison.options.isEmpty,
        left.type == .null || right.type == .null
          || ComputationCompiler.compareAlike(left.type, right.type),
        let operations = comparison.operator.ofRecords
      else { throw NotOfRecords() }
      try add(left, of: program, to: &result)
      try add(right, of: program, to: &result)
      for operation in operations { result.add(operation) }
    }
  }
}

extension AttributeValue.Kind {
  /// The values in a column that the evaluator reads as they are; `nil` if there are none.
  fileprivate var ofRecords: RecordProgram.Kind? {
    switch self {
    case .integer: .integer
    case .double, .date: .real
    case .string: .validText
    default: nil
    }
  }
}

extension Function {
  /// `nil` for other functions than those of numbers.
  fileprivate var fold: RecordProgram.Fold? {
    self == .sum ? .sum : self == .average ? .average : self == .median ? .median : nil
  }
}

extension TextFunction {
  fileprivate var ofRecords: RecordProgram.Function {
    let letters: ClosedRange<UInt8>? =
      switch self {
      case .uppercase: UInt8(ascii: "a")...UInt8(ascii: "z")
      case .lowercase: UInt8(ascii: "A")...UInt8(ascii: "Z")
      case .canonical: nil
      }
    return RecordProgram.Function(changing: letters) { result(for: $0) }
  }
}

extension ValuePredicate.Operator {
  /// `nil` where the evaluator alone knows.
  fileprivate var ofRecords: [RecordProgram.Operation]? {
    switch self {
    case .equalTo: [.isSame]
    case .notEqualTo: [.isSame, .not]
    default: order.map { [.ordered($0)] }
    }
  }
}
