internal import BulkModel
internal import BulkStore

/// All relationships of the destination: those that follow from each source row, and those that follow from
/// all assignments together.
struct DirectRelationships: Sendable {
  /// The relationships that follow from all assignments together.
  private(set) var linked: [LinkedRelationship] = []
  /// The relationships with assignments that contradict each other.
  private(set) var contradictory: [RelationshipForm] = []
  private var direct: [PropertyKey: (sides: RelationshipSides, end: RelationshipEnd)] = [:]

  init(
    _ mappings: [InstanceMapping],
    _ relationships: MappedRelationships,
    from source: StoreSchema,
    to destination: StoreSchema,
    _ links: LinkResolver
  ) {
    let proof = RelationshipProof(from: source, to: destination, links)
    for form in RelationshipForm.all(in: destination) {
      let sides = RelationshipSides(form, mappings, relationships, in: destination.model)
      if !proof.isConsistent(sides) { contradictory.append(form) }
      if proof.isDirect(sides) {
        if let second = form.second { direct[second] = (sides, .second) }
        direct[form.first] = (sides, .first)
      } else if let relationship = LinkedRelationship(sides, from: source, to: destination) {
        linked.append(relationship)
      }
    }
  }

  /// The assignments to a relationship and its inverse, and the end of the relationship; `nil` where its
  /// objects do not follow from rows.
  func sides(of key: PropertyKey) -> (sides: RelationshipSides, end: RelationshipEnd)? {
    direct[key]
  }
}
