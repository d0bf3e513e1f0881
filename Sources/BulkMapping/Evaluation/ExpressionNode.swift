package import BulkModel

/// A part of a compiled expression.
package struct ExpressionNode: Hashable, Sendable {
  /// How the value is computed.
  package indirect enum Operation: Hashable, Sendable {
    /// A constant.
    case constant(EvaluatedValue)
    /// An input of a frame: 0 is the innermost frame, 1 the next outer one, and so on.
    case input(Int, frame: Int)
    /// A value for each element of a collection, evaluated in a frame of the element's inputs.
    case map(ExpressionNode, ExpressionNode)
    /// A value of an object, evaluated in a frame of the object's inputs.
    case of(ExpressionNode, ExpressionNode)
    /// A function of values.
    case call(ExpressionFunction, [ExpressionNode])
    /// A method of a class of Foundation; the receiver comes first.
    case message(MethodCall, [ExpressionNode])
    /// A value converted to another type.
    case cast(ExpressionNode, CastType)
    /// What a transformer gives for a value.
    case transformed(Transformation, ExpressionNode)
    /// Several values as an array.
    case aggregate([ExpressionNode])
    /// A set operation on two collections.
    case set(ValueExpression.SetOperation, ExpressionNode, ExpressionNode)
    /// One of two values, chosen by a predicate.
    case ternary(PredicateNode, then: ExpressionNode, otherwise: ExpressionNode)
    /// The elements that satisfy a predicate, evaluated in a frame of the element's inputs.
    case subquery(ExpressionNode, PredicateNode)
    /// An element selected by a named index, or the number of elements.
    case symbol(ValueExpression.Symbol, ExpressionNode)
    /// The time at which the run began.
    case now
    /// A random number, below the limit if there is one. The site distinguishes several in one expression.
    case random(limit: ExpressionNode?, site: Int)
  }

  /// How the value is computed.
  package let operation: Operation
  /// The static type of the value.
  package let type: ExpressionType
  /// Whether it may be nil in a store that conforms to its model.
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
