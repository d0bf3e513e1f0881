package import BulkMapping
package import BulkModel
package import BulkStore

/// Finds out how the objects that a mapping reads are told from others.
package struct FilterLowering: Sendable {
  private let inputs: InputLowering
  private let entity: EntityDescription
  private let isUTF8: Bool

  /// - Parameters:
  ///   - source: The schema of the store that is read.
  ///   - entity: The entity whose objects are read.
  ///   - isUTF8: Whether the store keeps its texts in UTF-8, as all that Core Data makes do.
  package init(_ source: StoreSchema, of entity: EntityDescription, isUTF8: Bool = true) {
    inputs = InputLowering(source)
    self.entity = entity
    self.isUTF8 = isUTF8
  }

  /// How a predicate is asked of the rows.
  ///
  /// Of several predicates joined by AND, those go to SQL that SQL can say; a row that it leaves
  /// out is not evaluated, and cannot fail.
  ///
  /// - Throws: ``ExpressionFault`` that names what cannot be evaluated.
  package func filter(_ predicate: ValuePredicate) throws(ExpressionFault) -> LoweredFilter {
    let program = try PredicateProgram(predicate, of: entity, in: inputs.source.model)
    let lowering = ComputationLowering(inputs, program.inputs, of: entity, isUTF8: isUTF8)
    if let condition = lowering.condition(program.root) {
      return LoweredFilter(condition: condition, program: nil)
    }
    guard case .and(let parts) = program.root else {
      return LoweredFilter(condition: nil, program: program)
    }
    let conditions = parts.compactMap { lowering.condition($0) }
    return LoweredFilter(
      condition: conditions.isEmpty ? nil : .and(conditions),
      program: program
    )
  }
}
