/// The precedence of operators, loosest first.
///
/// Source: section 2.3 of Apple's grammar where documented; the precedence of negation, set operations and
/// assignment is inferred.
enum ExpressionPrecedence: Int, Comparable {
  case or
  case and
  case not
  case comparison
  case assignment
  case set
  case sum
  case product
  case power
  case negation
  case postfix

  static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }

  /// The precedence of the right operand of a left-associative operator.
  var next: Self { Self(rawValue: rawValue + 1) ?? .postfix }
}

/// The operators between two numbers that denote a predefined function.
enum ArithmeticOperator: String, CaseIterable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case raise = "**"

  var selector: String {
    switch self {
    case .add: "add:to:"
    case .subtract: "from:subtract:"
    case .multiply: "multiply:by:"
    case .divide: "divide:by:"
    case .raise: "raise:toPower:"
    }
  }

  init?(selector: String) {
    guard let match = Self.allCases.first(where: { $0.selector == selector }) else { return nil }
    self = match
  }

  var precedence: ExpressionPrecedence {
    switch self {
    case .add, .subtract: .sum
    case .multiply, .divide: .product
    case .raise: .power
    }
  }
}

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
