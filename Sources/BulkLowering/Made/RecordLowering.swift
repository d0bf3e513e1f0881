internal import BulkCoding
internal import BulkMapping
internal import BulkModel
package import BulkSQLite
package import BulkStore

extension InstanceCreation {
  /// How its rows are made from source records alone, with their evaluated values and filter; `nil` where something
  /// needs SQL or the evaluator in every row.
  package func records(
    of rows: PartlyGivenRows,
    by compiler: RecordCompiler,
    in source: StoreSchema
  ) -> RecordCopy? {
    guard elements == nil, grouping == nil, mapping.derivesKeys else { return nil }
    let lowering = RecordLowering(
      compiler: compiler,
      inputs: InputLowering(source),
      entity: mapping.source
    )
    let kept = filterOfRecords(by: compiler, in: source)
    if kept == nil, filter != nil { return nil }
    return rows.copy(by: compiler, keyOffset: mapping.keyOffset, where: transfer.conditions, kept) {
      name in
      let found = evaluations.first { $0.attribute.name == name }
      guard case .program(let lowered)? = found?.source else { return nil }
      var program = RecordProgram()
      return lowering.add(lowered, to: &program) ? program : nil
    }
  }

  /// The program of its filter; `nil` where it has none, or where only the evaluator knows in every row.
  ///
  /// Without a compiler it tells whether there may be one.
  package func filterOfRecords(
    by compiler: RecordCompiler?,
    in source: StoreSchema
  ) -> RecordProgram? {
    guard let filter else { return nil }
    let lowering = RecordLowering(
      compiler: compiler,
      inputs: InputLowering(source),
      entity: mapping.source
    )
    var program = RecordProgram()
    return lowering.add(filter.root, of: filter.inputs, to: &program) ? program : nil
  }
}

/// Expresses what the evaluator computes from source rows by their records.
///
/// A program has the same values as the evaluator, or none: a row for which it has none is evaluated.
private struct RecordLowering {
  /// The compiler; `nil` to find out whether there may be a program.
  let compiler: RecordCompiler?
  let inputs: InputLowering
  let entity: EntityDescription

  /// Adds the operations that compute a value of an attribute, and returns whether that is possible.
  func add(_ lowered: LoweredProgram, to program: inout RecordProgram) -> Bool {
    let (root, type) = (lowered.program.root, lowered.conversion.attribute.attributeType)
    guard add(root, of: lowered.program.inputs, to: &program) else { return false }
    switch type.kind {
    case .integer:
      guard root.type.integerRange != nil, let range = type.integerRange,
        let place = program.places(
          ofConstants: [.integer(range.lowerBound), .integer(range.upperBound)]
        )
      else { return false }
      program.add(.within(place))
      return true
    case .double:
      program.add(.real)
      return root.type.isNumber
    case .string: return root.type == .string
    case .date: return root.type == .date
    case .boolean, .decimal, .binary, .uuid, .uri, nil: return false
    }
  }

  private func add(
    _ node: ExpressionNode,
    of program: [SourceInput],
    to result: inout RecordProgram
  ) -> Bool {
    switch node.operation {
    case .constant(.attribute(let value)):
      switch value {
      case .null, .integer, .double, .string, .date:
        return result.add(constant: ColumnCoding.value(of: value))
      case .boolean, .decimal, .binary, .uuid, .uri: return false
      }
    case .input(let index, frame: 0): return add(program[index], to: &result)
    case .call(let function, let arguments):
      if let fold = function.fold, case .aggregate(let elements)? = arguments.first?.operation {
        guard elements.allSatisfy({ add($0, of: program, to: &result) }) else { return false }
        result.add(.fold(fold, elements.count))
        return true
      }
      guard arguments.allSatisfy({ add($0, of: program, to: &result) }) else { return false }
      if let text = function.textFunction {
        result.add(text.ofRecords)
        return arguments.count == 1
      }
      guard let operation = function.arithmeticOperation, arguments.count == 2 else {
        return false
      }
      result.add(.exact(operation.ofRecords))
      return true
    case .ternary(let condition, let first, let second):
      guard add(condition, of: program, to: &result), add(first, of: program, to: &result),
        add(second, of: program, to: &result)
      else { return false }
      result.add(.choice)
      return true
    case .constant, .input, .map, .of, .message, .cast, .transformed, .aggregate, .set, .subquery,
      .symbol, .now, .random:
      return false
    }
  }

  /// Adds the value of an attribute, of the row or of an object that it refers to.
  private func add(_ input: SourceInput, to result: inout RecordProgram) -> Bool {
    guard case .attribute = input.content,
      let found = inputs.attribute(input.path, from: entity),
      let kind = found.attribute.attributeType.kind?.ofRecords
    else { return false }
    guard let compiler else { return found.expression.isOfRecords }
    switch found.expression {
    case .column(let name): return compiler.add(column: name, as: kind, to: &result)
    case .columnOfRow(let name, let table, let key):
      return compiler.add(key, to: &result)
        && compiler.add(name, as: kind, ofRowIn: table, to: &result)
    default: return false
    }
  }

  /// Adds the operations that compute whether a predicate holds.
  func add(
    _ predicate: PredicateNode,
    of program: [SourceInput],
    to result: inout RecordProgram
  ) -> Bool {
    switch predicate {
    case .constant(let truth): return result.add(constant: .integer(truth ? 1 : 0))
    case .not(let part):
      guard add(part, of: program, to: &result) else { return false }
      result.add(.not)
      return true
    case .and(let parts):
      guard parts.allSatisfy({ add($0, of: program, to: &result) }) else { return false }
      result.add(.all(parts.count))
      return true
    case .or(let parts):
      guard parts.allSatisfy({ add($0, of: program, to: &result) }) else { return false }
      result.add(.any(parts.count))
      return true
    case .comparison(let comparison):
      let (left, right) = (comparison.left, comparison.right)
      guard comparison.modifier == .direct, comparison.options.isEmpty,
        left.type == .null || right.type == .null
          || ComputationLowering.compareAlike(left.type, right.type),
        let operations = comparison.operator.ofRecords,
        add(left, of: program, to: &result), add(right, of: program, to: &result)
      else { return false }
      for operation in operations { result.add(operation) }
      return true
    }
  }
}

extension ColumnExpression {
  /// Whether it is a column of the row or of a related one.
  fileprivate var isOfRecords: Bool {
    switch self {
    case .column, .columnOfRow: true
    default: false
    }
  }
}

extension AttributeValue.Kind {
  /// The values in a column of an attribute of this kind that the evaluator reads as they are; `nil` if there are
  /// none.
  fileprivate var ofRecords: RecordProgram.Kind? {
    switch self {
    case .integer: .integer
    case .double, .date: .real
    case .string: .validText
    case .boolean, .decimal, .binary, .uuid, .uri: nil
    }
  }
}

extension ArithmeticOperation {
  fileprivate var ofRecords: RecordProgram.Arithmetic {
    switch self {
    case .add: .sum
    case .subtract: .difference
    case .multiply: .product
    case .divide: .quotient
    case .modulus: .remainder
    }
  }
}

extension ExpressionFunction {
  /// The function of numbers that it is; `nil` for other functions.
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
  /// The operations on two values; `nil` where the evaluator alone knows.
  fileprivate var ofRecords: [RecordProgram.Operation]? {
    switch self {
    case .equalTo: [.isSame]
    case .notEqualTo: [.isSame, .not]
    case .lessThan: [.ordered(.less)]
    case .lessThanOrEqualTo: [.ordered(.lessOrEqual)]
    case .greaterThan: [.ordered(.greater)]
    case .greaterThanOrEqualTo: [.ordered(.greaterOrEqual)]
    case .between, .in, .contains, .beginsWith, .endsWith, .like, .matches: nil
    }
  }
}
