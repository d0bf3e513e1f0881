package import BulkCoding
package import BulkModel

/// A predicate, compiled for the objects of a source entity.
package struct PredicateProgram: Hashable, Sendable {
  /// The predicate in parts.
  package let root: PredicateNode
  /// What a page must hold, in the order in which ``ExpressionNode/Operation/input(_:frame:)``
  /// counts.
  package let inputs: [SourceInput]
  /// What may go wrong in some row.
  package let risks: [RunTimeRisk]

  /// A predicate, compiled.
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
  }

  /// Whether the predicate holds for the rows of a page, and the rows where that cannot be said.
  ///
  /// - Parameters:
  ///   - page: The rows; it must hold every input.
  ///   - constants: What is the same in the whole run.
  ///   - stream: What reads the objects that the page does not hold.
  ///   - watch: Is asked in between whether the values are still wanted; what is given when it stops is not
  ///     to be used.
  /// - Returns: One truth a row.
  package func evaluate(
    _ page: ValuePage,
    in constants: RunConstants,
    _ stream: ObjectStream = .none,
    _ watch: WorkWatch = WorkWatch()
  ) -> EvaluatedPage<Bool> {
    var evaluator = Evaluator(constants, stream, watch)
    let frame = EvaluationFrame(page, inputs, constants)
    let truths = evaluator.truths(of: root, Array(0..<page.rowCount), in: frame)
    return EvaluatedPage(values: truths, failures: evaluator.failures)
  }
}
