internal import BulkMapping
internal import BulkModel

/// Finds values that must be evaluated for a version although the next one does not need them.
///
/// Evaluation may fail: the value overflows, does not fit, or its row holds another type. Then the migration
/// ends at the version. So the value must be evaluated for every object that the version would have, by
/// whichever step copies it.
struct EvaluationProof {
  private let instances: InstanceWork
  private let next: MigrationStep

  /// - Parameters:
  ///   - instances: What makes the objects of the version.
  ///   - next: The step after it.
  init(_ instances: InstanceWork, _ next: MigrationStep) {
    self.instances = instances
    self.next = next
  }

  /// What would not be evaluated, a sentence each.
  func unevaluatedValues() -> [String] { instances.creations.flatMap(unevaluatedValues) }

  private func unevaluatedValues(_ creation: InstanceCreation) -> [String] {
    let entity = creation.mapping.destination.name
    let readers = next.mapping.entityMappings.filter {
      $0.sourceEntityName == entity && $0.filter == nil && $0.destinationEntityName != nil
    }
    let values = creation.evaluations.map(\.attribute)
      .filter { attribute in !readers.contains { takesOver(attribute, $0) } }
      .map { "\(entity).\($0.name) may fail for objects that \(next.name) does not ask for it" }
    guard creation.filter != nil, readers.isEmpty else { return values }
    return values + ["the filter of \(creation.mapping.mapping.name) may fail for some objects"]
  }

  private func takesOver(_ attribute: AttributeDescription, _ reader: EntityMapping) -> Bool {
    guard let entity = reader.destinationEntityName.flatMap({ next.destination.entity(named: $0) })
    else { return false }
    return next.destination.attributes(of: entity).contains { other in
      reader.takenAttribute(for: other.name) == attribute.name
        && other.attributeType == attribute.attributeType
    }
  }
}
