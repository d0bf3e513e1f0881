internal import BulkModel

/// Checks that what a request names is in the model.
struct RequestCheck {
  private let model: ManagedObjectModel

  init(_ model: ManagedObjectModel) { self.model = model }

  /// Refuses names that the model does not have.
  func check(_ request: FixtureRequest) throws(FixtureError) {
    for name in request.rows.keys.sortedByCodeUnit() {
      guard let entity = model.entity(named: name) else {
        throw .unknown(name, what: "entity", nearest: model.entities.map(\.name))
      }
      if entity.isAbstract { throw .abstract(name) }
    }
    let attributes = model.entities.flatMap { entity in
      entity.attributes.map { "\(entity.name).\($0.name)" }
    }
    let relationships = model.entities.flatMap { entity in
      entity.relationships.map { "\(entity.name).\($0.name)" }
    }
    let named = Set(request.sizes.keys).union(request.nilRates.keys)
    for name in named.sortedByCodeUnit() where !attributes.contains(name) {
      throw .unknown(name, what: "attribute", nearest: attributes)
    }
    for name in request.links.keys.sortedByCodeUnit() where !relationships.contains(name) {
      throw .unknown(name, what: "relationship", nearest: relationships)
    }
  }
}
