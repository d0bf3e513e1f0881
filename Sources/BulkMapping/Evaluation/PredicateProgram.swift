package import BulkCoding
package import BulkModel

/// A predicate, compiled for the objects of a source entity.
package struct PredicateProgram: Hashable, Sendable {
  /// The compiled predicate.
  package let root: PredicateNode
  /// The inputs that a page must contain, in the order of the indexes in
  /// ``ExpressionNode/Operation/input(_:frame:)``.
  package let inputs: [SourceInput]
  /// The possible failures in individual rows.
  package let risks: [RunTimeRisk]
  private let callsMethods: Bool

  /// Compiles a predicate.
  ///
  /// - Throws: ``ExpressionFault`` that names what cannot be evaluated.
  package init(
    _ predicate: ValuePredicate,
    of entity: EntityDescription,
    in model: ManagedObjectModel
  ) throws(ExpressionFault) {
    var compiler = ExpressionCompiler(entity, in: model)
    root = try compiler.predicate(predicate)
    inputs = compiler.inputs
    risks = compiler.risks
    callsMethods = compiler.callsMethods
  }

  /// Whether the predicate holds for the rows of a page, and the rows that failed.
  ///
  /// - Parameters:
  ///   - page: The rows, with every input.
  ///   - constants: The constants of the run.
  ///   - stream: Reads the objects that the page does not contain.
  ///   - watch: Stops the evaluation when the values are no longer wanted; the result must then be
  ///     discarded.
  /// - Returns: One truth value for each row.
  package func evaluate(
    _ page: ValuePage,
    in constants: RunConstants,
    _ stream: ObjectStream = .none,
    _ watch: WorkWatch = WorkWatch()
  ) -> EvaluatedPage<Bool> {
    var evaluator = Evaluator(constants, stream, watch)
    let frame = EvaluationFrame(page, inputs, constants)
    let truths = evaluator.values(0..<page.rowCount, oneByOne: callsMethods) { evaluator, rows in
      evaluator.truths(of: root, rows, in: frame)
    }
    return EvaluatedPage(values: truths, failures: evaluator.failures)
  }
}
