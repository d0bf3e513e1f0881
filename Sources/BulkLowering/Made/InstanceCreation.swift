package import BulkMapping
package import BulkStore

/// The objects of one entity mapping: how their rows are made, and what is filled in afterwards.
package struct InstanceCreation: Sendable {
  /// The mapping.
  package let mapping: InstanceMapping
  /// How source rows become rows of the destination, as far as SQL says it.
  package let transfer: RowTransfer
  /// The relationships whose objects the policy names.
  package let answered: [PolicyRelationship]
  /// The attributes whose values must be evaluated.
  package let evaluations: [AttributeEvaluation]
  /// What is left of the mapping's filter to be evaluated.
  package let filter: PredicateProgram?
  /// How what must be evaluated is read.
  package let page: ProgramPage

  /// The members of relationships that may fall away.
  package let losses: [RelationshipLoss]

  /// The keys that must be looked at when all objects are there.
  package let checks: [ReferenceCheck]

  /// Whether SQL alone makes the rows.
  package var isTransfer: Bool {
    evaluations.isEmpty && filter == nil && !mapping.hasPolicy
  }
}
