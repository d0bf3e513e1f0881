internal import BulkMapping
internal import BulkModel
internal import BulkSQLite
internal import BulkStore

/// Expresses parts of expressions in SQL where it has exactly the same meaning.
///
/// The rest is evaluated: operations that may overflow, where SQLite continues with real numbers; division by
/// a possible zero, which is NULL in SQLite; decimal arithmetic; case mapping and folding. The tests compare
/// SQL with evaluation for every supported part.
struct ComputationCompiler {
  let inputs: InputCompiler
  let program: [SourceInput]
  let entity: EntityDescription
  /// Texts compare byte by byte in UTF-8 in the source.
  let isUTF8: Bool

  /// `nil` if the part does anything but copy.
  func copied(_ node: ExpressionNode) -> InputCompiler.StoredAttribute? {
    guard case .input(let index, frame: 0) = node.operation else { return nil }
    switch program[index].content {
    case .attribute, .presence: return inputs.attribute(program[index].path, from: entity)
    case .object, .element, .objects: return nil
    }
  }

  /// `nil` where the meaning would differ.
  func value(_ node: ExpressionNode) -> ColumnExpression? {
    switch node.operation {
    case .constant(.attribute(let value)): return constant(value)
    case .input:
      guard let found = copied(node), !found.attribute.allowsExternalBinaryDataStorage else {
        return nil
      }
      return found.value
    case .call(.count, let arguments): return arguments.first.flatMap { count($0) }
    case .call(.minimum, let arguments):
      return arguments.first.flatMap { extreme(.least, $0, node.type) }
    case .call(.maximum, let arguments):
      return arguments.first.flatMap { extreme(.greatest, $0, node.type) }
    case .call(let function, let arguments):
      guard arguments.count == 2 else { return nil }
      return arithmetic(function, arguments[0], arguments[1], as: node.type)
    case .cast(let operand, let type): return cast(operand, to: type)
    case .ternary(let condition, let then, let otherwise):
      guard let condition = self.condition(condition), let first = value(then),
        let second = value(otherwise)
      else { return nil }
      return .conditional(condition, first, second)
    case .message(let call, let operands): return message(call, operands)
    case .symbol(.size, let collection): return count(collection)
    default: return nil
    }
  }

  private func constant(_ value: AttributeValue) -> ColumnExpression? {
    // A decimal number has more digits than the double that would represent it.
    if case .decimal = value { return nil }
    return .value(value)
  }

  private func count(_ node: ExpressionNode) -> ColumnExpression? {
    guard
      case .input(let index, frame: 0) = node.operation, case .objects = program[index].content,
      let (members, owner) = inputs.members(program[index].path, from: entity)
    else { return nil }
    return .memberCount(members, ofRow: owner.key)
  }

  private func extreme(
    _ extreme: ColumnExpression.Extreme,
    _ node: ExpressionNode,
    _ type: ExpressionType
  ) -> ColumnExpression? {
    guard type != .boolean, type.isNumber || type == .date || (type == .string && isUTF8),
      case .map(let collection, let body) = node.operation,
      case .input(let index, frame: 0) = collection.operation,
      case .objects(let target, _) = program[index].content,
      case .input(let member, frame: 0) = body.operation,
      case .attribute = program[index].members[member].content,
      let target = inputs.source.model.entity(named: target),
      case .column(let column)? = inputs.attribute(
        program[index].members[member].path,
        from: target
      )?.expression,
      let (members, owner) = inputs.members(program[index].path, from: entity)
    else { return nil }
    let value = ColumnExpression.memberExtreme(extreme, column, members, ofRow: owner.key)
    return type.integerRange == nil ? value : .whole(value)
  }

  private func arithmetic(
    _ function: Function,
    _ first: ExpressionNode,
    _ second: ExpressionNode,
    as result: ExpressionType
  ) -> ColumnExpression? {
    guard
      let operation = function.arithmeticOperation, operation != .modulus,
      let left = value(first), let right = value(second)
    else { return nil }
    if operation == .divide, !Self.isNonzeroConstant(second) { return nil }
    if case .integer = result {
      guard let first = first.type.integerRange, let second = second.type.integerRange,
        IntegerRange.result(of: operation, first, second) != nil
      else { return nil }
    } else if result != .double {
      return nil
    }
    return .arithmetic(left, operation.ofRecords, right)
  }

  private static func isNonzeroConstant(_ node: ExpressionNode) -> Bool {
    if case .attribute(.integer(let number))? = node.constantValue { return number != 0 }
    guard case .attribute(.double(let number))? = node.constantValue else { return false }
    return number != 0 && number.isFinite
  }

  private func cast(_ operand: ExpressionNode, to type: CastType) -> ColumnExpression? {
    guard let value = value(operand) else { return nil }
    switch type {
    // A whole number of seconds is stored as an integer, which would divide as one.
    case .number where operand.type == .date: return .real(value)
    case .number where operand.type.isNumber: return value
    case .date where operand.type == .double || Self.isExactDouble(operand.type):
      return .real(value)
    case .date where operand.type == .date: return value
    case .string where operand.type == .string: return value
    case .string where operand.type.integerRange != nil: return .text(value)
    default: return nil
    }
  }

  static func isExactDouble(_ type: ExpressionType) -> Bool {
    type.fits(-(1 << 53)...(1 << 53))
  }

  /// `nil` where the meaning would differ.
  func condition(_ node: PredicateNode) -> ColumnExpression? {
    switch node {
    case .constant(let truth): return .truth(truth)
    case .comparison(let comparison): return condition(comparison)
    case .not(let part): return condition(part).map { .not($0) }
    case .and(let parts): return conditions(parts).map { .and($0) }
    case .or(let parts): return conditions(parts).map { .or($0) }
    }
  }

  private func conditions(_ parts: [PredicateNode]) -> [ColumnExpression]? {
    let conditions = parts.compactMap { condition($0) }
    return conditions.count == parts.count ? conditions : nil
  }

  private func condition(_ comparison: ComparisonNode) -> ColumnExpression? {
    guard comparison.modifier == .direct, comparison.options.isEmpty else { return nil }
    let (left, right) = (comparison.left, comparison.right)
    switch comparison.operator {
    case .equalTo: return same(left, right)
    case .notEqualTo: return same(left, right).map { .not($0) }
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      return comparison.operator.order.flatMap { ordered(left, $0, right) }
    case .between:
      guard let ends = Self.elements(right), ends.count == 2,
        let low = ordered(left, .greaterOrEqual, ends[0]),
        let high = ordered(left, .lessOrEqual, ends[1])
      else { return nil }
      return .and([low, high])
    case .in:
      if left.type == .string, right.type == .string {
        return text(right, left) { .contains($0, $1) }
      }
      guard let elements = Self.elements(right) else { return nil }
      return among(left, elements)
    case .contains: return text(left, right) { .contains($0, $1) }
    case .beginsWith: return text(left, right) { .begins($0, with: $1) }
    case .endsWith:
      guard isUTF8 else { return nil }
      return text(left, right) { .ends($0, with: $1) }
    case .like, .matches: return nil
    }
  }

  private static func elements(_ node: ExpressionNode) -> [ExpressionNode]? {
    switch node.operation {
    case .aggregate(let elements): return elements
    case .constant(.collection(let collection)):
      let values = collection.elements.compactMap {
        if case .attribute(let value) = $0 { ExpressionNode.constant(value) } else { nil }
      }
      return values.count == collection.elements.count ? values : nil
    default: return nil
    }
  }

  private func same(_ left: ExpressionNode, _ right: ExpressionNode) -> ColumnExpression? {
    if right.type == .null { return isNull(left) }
    if left.type == .null { return isNull(right) }
    guard Self.compareAlike(left.type, right.type), let first = value(left),
      let second = value(right)
    else { return nil }
    return .same(first, second)
  }

  /// Constants are looked up, all others compared one by one.
  private func among(_ left: ExpressionNode, _ elements: [ExpressionNode]) -> ColumnExpression? {
    var constants: [AttributeValue] = []
    var tests: [ColumnExpression] = []
    for element in elements {
      if case .attribute(let constant)? = element.constantValue, value(element) != nil,
        Self.compareAlike(left.type, element.type)
      {
        constants.append(constant)
        continue
      }
      guard let test = same(left, element) else { return nil }
      tests.append(test)
    }
    guard !constants.isEmpty else { return .or(tests) }
    guard let value = value(left) else { return nil }
    return .or([.among(value, constants)] + tests)
  }

  private func isNull(_ node: ExpressionNode) -> ColumnExpression? {
    if let stored = copied(node) { return .isNull(stored.expression) }
    if case .input(let index, frame: 0) = node.operation, case .object = program[index].content {
      return inputs.end(of: program[index].path, from: entity).map { .isNull($0.key) }
    }
    return value(node).map { .isNull($0) }
  }

  private func ordered(
    _ left: ExpressionNode,
    _ order: RecordProgram.Order,
    _ right: ExpressionNode
  ) -> ColumnExpression? {
    if right.type == .null { return orderedToNil(left, order) }
    if left.type == .null { return orderedToNil(right, order) }
    guard Self.compareAlike(left.type, right.type), left.type != .string || isUTF8,
      let first = value(left), let second = value(right)
    else { return nil }
    return .ordered(first, order, second)
  }

  /// Only nil orders with nil.
  private func orderedToNil(
    _ node: ExpressionNode,
    _ order: RecordProgram.Order
  ) -> ColumnExpression? {
    isNull(node).map { order.holdsForEqual ? $0 : .truth(false) }
  }

  /// Whether SQLite compares two types as expressions do: neither affinity nor coding makes a difference.
  static func compareAlike(_ first: ExpressionType, _ second: ExpressionType) -> Bool {
    if first.isNumber && second.isNumber { return first != .number && second != .number }
    switch first {
    case .string, .date, .uuid, .uri, .binary, .transformable: return first == second
    default: return false
    }
  }

  private func text(
    _ whole: ExpressionNode,
    _ part: ExpressionNode,
    _ condition: (ColumnExpression, String) -> ColumnExpression
  ) -> ColumnExpression? {
    guard whole.type == .string, case .attribute(.string(let text))? = part.constantValue,
      let value = value(whole)
    else { return nil }
    // An empty text matches nothing.
    return text.isEmpty ? .truth(false) : condition(value, text)
  }
}

extension ArithmeticOperation {
  var ofRecords: RecordProgram.Arithmetic {
    switch self {
    case .add: .sum
    case .subtract: .difference
    case .multiply: .product
    case .divide: .quotient
    case .modulus: .remainder
    }
  }
}

extension ValuePredicate.Operator {
  /// `nil` for operators without an order.
  var order: RecordProgram.Order? {
    switch self {
    case .lessThan: .less
    case .lessThanOrEqualTo: .lessOrEqual
    case .greaterThan: .greater
    case .greaterThanOrEqualTo: .greaterOrEqual
    default: nil
    }
  }
}

/// Methods of Foundation that SQL has with exactly the same meaning.
///
/// A receiver that is nil gives NULL. An argument that is nil fails the row, which SQL cannot, so
/// no argument may be nil. SQLite counts characters, not UTF-16 units, knows the case of ASCII
/// letters alone, and has no canonical equivalents; all other methods are evaluated.
extension ComputationCompiler {
  /// The receiver is the first operand.
  func message(_ call: MethodCall, _ operands: [ExpressionNode]) -> ColumnExpression? {
    guard operands.dropFirst().allSatisfy({ !$0.mayBeNil }), let receiver = operands.first else {
      return nil
    }
    return operands.count == 1
      ? conversion(call.selector, receiver) : joint(call.selector, receiver, operands[1])
  }

  private func conversion(_ selector: String, _ receiver: ExpressionNode) -> ColumnExpression? {
    guard let value = value(receiver) else { return nil }
    let type = receiver.type
    switch selector {
    case "stringValue", "description":
      if type == .string { return value }
      return type.integerRange == nil ? nil : .text(value)
    case "doubleValue":
      return type == .double || type.integerRange != nil ? .real(value) : nil
    case "integerValue", "longLongValue": return type.integerRange == nil ? nil : value
    case "boolValue":
      return type.isNumber && type != .number ? .isNonzero(value) : nil
    case "timeIntervalSinceReferenceDate": return .real(value)
    case "timeIntervalSince1970":
      return .arithmetic(.real(value), .sum, .value(.double(978_307_200)))
    default: return nil
    }
  }

  private func joint(
    _ selector: String,
    _ receiver: ExpressionNode,
    _ argument: ExpressionNode
  ) -> ColumnExpression? {
    guard let first = value(receiver), let second = value(argument) else { return nil }
    switch selector {
    case "stringByAppendingString:": return .joined(first, second)
    case "isEqualToString:", "isEqualToNumber:", "isEqualToDate:", "isEqual:":
      return Self.compareAlike(receiver.type, argument.type)
        ? .equality(first, second) : nil
    case "dateByAddingTimeInterval:":
      guard argument.type == .double || argument.type.integerRange != nil else { return nil }
      return .arithmetic(.real(first), .sum, second)
    case "timeIntervalSinceDate:":
      let start = ColumnExpression.real(second)
      return .arithmetic(.real(first), .difference, start)
    default: return nil
    }
  }
}
