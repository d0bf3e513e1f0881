package import BulkModel

/// A part of a compiled expression.
package struct ExpressionNode: Hashable, Sendable {
  /// How the value comes about.
  package indirect enum Operation: Hashable, Sendable {
    /// A constant.
    case constant(EvaluatedValue)
    /// An input of a frame: 0 is the innermost, each 1 more the next one around it.
    case input(Int, frame: Int)
    /// A value for each element of a collection, asked in a frame of the element's inputs.
    case map(ExpressionNode, ExpressionNode)
    /// A value of an object, asked in a frame of the object's inputs.
    case of(ExpressionNode, ExpressionNode)
    /// A function of values.
    case call(ExpressionFunction, [ExpressionNode])
    /// A value as one of another type.
    case cast(ExpressionNode, CastType)
    /// Several values as an array.
    case aggregate([ExpressionNode])
    /// Two collections as one.
    case set(ValueExpression.SetOperation, ExpressionNode, ExpressionNode)
    /// One of two values.
    case ternary(PredicateNode, then: ExpressionNode, otherwise: ExpressionNode)
    /// The elements that satisfy a predicate, asked in a frame of the element's inputs.
    case subquery(ExpressionNode, PredicateNode)
    /// An element that is named by a word, or the number of elements.
    case symbol(ValueExpression.Symbol, ExpressionNode)
    /// The time at which the run began.
    case now
    /// A number by chance; below a limit where there is one. The site tells several apart.
    case random(limit: ExpressionNode?, site: Int)
  }

  /// How the value comes about.
  package let operation: Operation
  /// What is known about the value.
  package let type: ExpressionType
  /// Whether it may be nil in a store that keeps to its model.
  package let mayBeNil: Bool

  init(_ operation: Operation, _ type: ExpressionType, mayBeNil: Bool) {
    self.operation = operation
    self.type = type
    self.mayBeNil = mayBeNil
  }
}

/// A part of a compiled predicate.
package indirect enum PredicateNode: Hashable, Sendable {
  case constant(Bool)
  case comparison(ComparisonNode)
  case not(PredicateNode)
  case and([PredicateNode])
  case or([PredicateNode])
}

/// A compiled comparison.
package struct ComparisonNode: Hashable, Sendable {
  package let left: ExpressionNode
  package let `operator`: ValuePredicate.Operator
  package let right: ExpressionNode
  package let modifier: ValuePredicate.Modifier
  package let options: ValuePredicate.Options
}
