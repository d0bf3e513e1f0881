package import BulkSupport
package import BulkModel

/// An expression or a predicate, compiled for the objects of a source entity.
///
/// `SELF` is the source object, as is `$source`, and a key alone is one of its keys.
package struct CompiledProgram<Root: Hashable & Sendable>: Hashable, Sendable {
  package let root: Root
  /// The inputs that a page must contain, in the order of the indexes in
  /// ``ExpressionNode/Operation/input(_:frame:)``.
  package let inputs: [SourceInput]
  package let risks: [RunTimeRisk]
  /// Whether a text is cast of which no condition says how it looks.
  let castsAnyText: Bool
  private let callsMethods: Bool

  fileprivate init(_ root: Root, by compiler: ExpressionCompiler) {
    (self.root, inputs, risks) = (root, compiler.inputs, compiler.risks)
    castsAnyText = compiler.castsAnyText
    callsMethods = compiler.callsMethods
  }

  fileprivate func results<Value>(
    _ page: ValuePage,
    by evaluator: Evaluator,
    _ evaluate: (inout Evaluator, EvaluationRows) -> [Value],
    isFull: (Value) -> Bool = { _ in false }
  ) -> PageResults<Value> {
    var evaluator = evaluator
    let columns = inputs.map { input in
      guard let column = page.columns[input] else {
        preconditionFailure("the page lacks the input \(input.path.joined(separator: "."))")
      }
      return column
    }
    let seed = evaluator.constants.randomSeed
    let rows = EvaluationFrame(columns, keys: page.keys, ordinals: page.ordinals, seed: seed).rows
    var values = callsMethods ? [] : evaluate(&evaluator, rows)
    // Beside the results only what methods make for one row is in memory.
    for row in rows where callsMethods {
      evaluator.memory.beginRow()
      values += evaluate(&evaluator, row.alone)
      if let last = values.last, isFull(last) { break }
    }
    return PageResults(values: values, failures: evaluator.failures)
  }
}

package typealias ExpressionProgram = CompiledProgram<ExpressionNode>

extension ExpressionProgram {
  /// Compiles an expression for the objects of an entity that satisfy a filter, and for a type of `$element`, if there is
  /// one.
  package init(
    _ expression: ValueExpression,
    of entity: EntityDescription,
    in model: ManagedObjectModel,
    element: ExpressionType? = nil,
    where filter: ValuePredicate? = nil
  ) throws(ExpressionFault) {
    var compiler = ExpressionCompiler(entity, in: model, element: element)
    if let filter { compiler.known.add(filter, holds: true) }
    self.init(try compiler.node(expression), by: compiler)
  }

  /// Compiles a collection whose elements become objects.
  package init(
    elements expression: ValueExpression,
    of entity: EntityDescription,
    in model: ManagedObjectModel
  ) throws(ExpressionFault) {
    try self.init(expression, of: entity, in: model)
    guard case .collection(let element) = root.type, element == .composite || element.isSingle
    else {
      throw .wrongType(of: "forEach", found: root.type, expected: "a collection of values")
    }
  }

  package var elementType: ExpressionType { root.type.element }

  /// One value a row; values of the first rows only, at least one, where the results of methods are too large
  /// for all.
  ///
  /// Once the watch stops, the result must be discarded.
  package func evaluate(
    _ page: ValuePage,
    in constants: RunConstants,
    _ stream: ObjectStream = .none,
    _ watch: WorkWatch = WorkWatch()
  ) -> PageResults<EvaluatedValue> {
    results(
      page,
      by: Evaluator(constants, stream, watch),
      { $0.values(of: root, $1) },
      isFull: { stream.results?.isFull(after: $0) == true }
    )
  }
}

package typealias PredicateProgram = CompiledProgram<PredicateNode>

extension PredicateProgram {
  package init(
    _ predicate: ValuePredicate,
    of entity: EntityDescription,
    in model: ManagedObjectModel
  ) throws(ExpressionFault) {
    var compiler = ExpressionCompiler(entity, in: model)
    self.init(try compiler.predicate(predicate), by: compiler)
  }

  /// Whether the predicate holds for each row of a page, and the rows that failed; see
  /// ``ExpressionProgram/evaluate(_:in:_:_:)``.
  package func evaluate(
    _ page: ValuePage,
    in constants: RunConstants,
    _ stream: ObjectStream = .none,
    _ watch: WorkWatch = WorkWatch()
  ) -> PageResults<Bool> {
    results(page, by: Evaluator(constants, stream, watch), { $0.truths(of: root, $1) })
  }
}

/// Values that are the same for every row of a run, even after it is resumed.
package struct RunConstants: Sendable {
  /// The value of `now()`, in seconds since 2001-01-01 00:00:00 UTC.
  package let now: Double
  /// The seed of `random()`; the same seed gives the same number for the same row.
  package let randomSeed: UInt64
  /// The UUID in the metadata of the store whose objects are read, as its text.
  package let storeUUID: String
  package let transformers: TransformerRegistry

  package init(
    now: Double,
    randomSeed: UInt64,
    storeUUID: String = "",
    transformers: TransformerRegistry = TransformerRegistry()
  ) {
    self.now = now
    self.randomSeed = randomSeed
    self.storeUUID = storeUUID
    self.transformers = transformers
  }
}

package struct ExpressionNode: Hashable, Sendable {
  package indirect enum Operation: Hashable, Sendable {
    case constant(EvaluatedValue)
    /// An input of a frame: 0 is the innermost frame, 1 the next outer one, and so on.
    case input(Int, frame: Int)
    /// A value for each element of a collection, evaluated in a frame of the element's inputs.
    case map(ExpressionNode, ExpressionNode)
    /// A value of an object, evaluated in a frame of the object's inputs.
    case of(ExpressionNode, ExpressionNode)
    case call(Function, [ExpressionNode])
    /// A method of a class of Foundation; the receiver comes first.
    case message(MethodCall, [ExpressionNode])
    case cast(ExpressionNode, CastType)
    case transformed(Transformation, ExpressionNode)
    case aggregate([ExpressionNode])
    case set(ValueExpression.SetOperation, ExpressionNode, ExpressionNode)
    case ternary(PredicateNode, then: ExpressionNode, otherwise: ExpressionNode)
    /// The elements that satisfy a predicate, evaluated in a frame of the element's inputs.
    case subquery(ExpressionNode, PredicateNode)
    /// An element selected by a named index, or the number of elements.
    case symbol(ValueExpression.Symbol, ExpressionNode)
    case now
    /// A random number, below the limit if there is one. The site distinguishes several in one expression.
    case random(limit: ExpressionNode?, site: Int)
    /// The UUID of the source object, which has another one for each name, and of its entity.
    case uuid(String, ExpressionNode)
    case rowKey
    /// The identity of the source object, of an entity, as a URI.
    case objectID(entity: String)
  }

  package let operation: Operation
  package let type: ExpressionType
  /// Whether it may be nil in a store that conforms to its model.
  package let mayBeNil: Bool

  init(_ operation: Operation, _ type: ExpressionType, mayBeNil: Bool) {
    self.operation = operation
    self.type = type
    self.mayBeNil = mayBeNil
  }
}

package indirect enum PredicateNode: Hashable, Sendable {
  case constant(Bool)
  case comparison(ComparisonNode)
  case not(PredicateNode)
  case and([PredicateNode])
  case or([PredicateNode])
}

package struct ComparisonNode: Hashable, Sendable {
  package let left: ExpressionNode
  package let `operator`: ValuePredicate.Operator
  package let right: ExpressionNode
  package let modifier: ValuePredicate.Modifier
  package let options: ValuePredicate.Options
}
