internal import BulkMapping
internal import BulkModel
internal import BulkSQLite
internal import BulkStore

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
