package import BulkMapping
package import BulkStore

/// The objects of one entity mapping: how their rows are made, and what is set afterwards.
package struct InstanceCreation: Sendable {
  /// The mapping.
  package let mapping: InstanceMapping
  /// The transfer of source rows to the destination, without what SQL cannot compute.
  package let transfer: RowTransfer
  /// The relationships whose objects the policy names.
  package let answered: [PolicyRelationship]
  /// The attributes whose values must be evaluated.
  package let evaluations: [AttributeEvaluation]
  /// The part of the mapping's filter to evaluate.
  package let filter: PredicateProgram?
  /// How to read the inputs of evaluations.
  package let page: ProgramPage

  /// The members that relationships may lose.
  package let losses: [RelationshipLoss]

  /// The keys to check when all objects exist.
  package let checks: [ReferenceCheck]

  /// Whether SQL alone makes the rows.
  package var isTransfer: Bool {
    evaluations.isEmpty && filter == nil && !mapping.hasPolicy
  }
}
