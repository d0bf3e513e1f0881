/// An operator between its operands.
enum InfixOperator {
  case or
  case and
  case comparison(ValuePredicate.Operator)
  case set(ValueExpression.SetOperation)
  case arithmetic(ArithmeticOperator)

  var precedence: ExpressionPrecedence {
    switch self {
    case .or: .or
    case .and: .and
    case .comparison: .comparison
    case .set: .set
    case .arithmetic(let arithmetic): arithmetic.precedence
    }
  }

  /// The operator that a token denotes; `nil` for other tokens.
  init?(_ token: ExpressionToken) {
    if case .sign(let sign) = token.kind {
      self.init(text: sign.rawValue)
    } else if let keyword = token.keyword {
      self.init(text: keyword.rawValue)
    } else {
      return nil
    }
  }

  private init?(text: String) {
    if text == "OR" || text == "||" {
      self = .or
    } else if text == "AND" || text == "&&" {
      self = .and
    } else if let arithmetic = ArithmeticOperator(rawValue: text) {
      self = .arithmetic(arithmetic)
    } else if let operation = ValueExpression.SetOperation(rawValue: text) {
      self = .set(operation)
    } else if let comparison = ValuePredicate.Operator(text: text) {
      self = .comparison(comparison)
    } else {
      return nil
    }
  }
}
