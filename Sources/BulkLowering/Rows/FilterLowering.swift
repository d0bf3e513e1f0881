package import BulkMapping
package import BulkModel
package import BulkStore

/// Determines how to select the objects that a mapping reads.
package struct FilterLowering: Sendable {
  private let inputs: InputLowering
  private let entity: EntityDescription
  private let isUTF8: Bool

  /// - Parameters:
  ///   - source: The schema of the store that is read.
  ///   - entity: The entity whose objects are read.
  ///   - isUTF8: Whether the store's text encoding is UTF-8, as in all stores that Core Data makes.
  package init(_ source: StoreSchema, of entity: EntityDescription, isUTF8: Bool = true) {
    inputs = InputLowering(source)
    self.entity = entity
    self.isUTF8 = isUTF8
  }

  /// How to test a predicate on rows.
  ///
  /// Of predicates joined by AND, SQL tests those that it can express; a row that it excludes is not
  /// evaluated, and cannot fail.
  ///
  /// - Throws: ``ExpressionFault`` with what cannot be evaluated.
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
