import BulkModel

extension EntityDescription {
  /// An entity with its properties.
  init(
    _ name: String,
    under superentity: String? = nil,
    _ attributes: [AttributeDescription] = [],
    _ relationships: [RelationshipDescription] = []
  ) {
    self.init(name)
    superentityName = superentity
    self.attributes = attributes
    self.relationships = relationships
  }

  /// The same entity with fetch indexes.
  func indexed(_ indexes: FetchIndexDescription...) -> EntityDescription {
    var result = self
    result.indexes = indexes
    return result
  }

  /// The same entity with uniqueness constraints.
  func unique(_ constraints: [String]...) -> EntityDescription {
    var result = self
    result.uniquenessConstraints = constraints
    return result
  }
}

extension RelationshipDescription {
  static func toOne(
    _ name: String,
    _ destination: String,
    inverse: String? = nil
  ) -> RelationshipDescription {
    var result = RelationshipDescription(name, to: destination)
    result.inverseName = inverse
    return result
  }

  static func toMany(
    _ name: String,
    _ destination: String,
    inverse: String? = nil,
    ordered: Bool = false
  ) -> RelationshipDescription {
    var result = RelationshipDescription(name, to: destination)
    result.inverseName = inverse
    result.isToMany = true
    result.maxCount = 0
    result.isOrdered = ordered
    return result
  }

  /// The same relationship, kept out of the store.
  var transient: RelationshipDescription {
    var result = self
    result.isTransient = true
    return result
  }
}

extension AttributeDescription {
  /// The same attribute, kept out of the store.
  var transient: AttributeDescription {
    var result = self
    result.isTransient = true
    return result
  }

  /// The same attribute with an old-style index.
  var indexed: AttributeDescription {
    var result = self
    result.isIndexed = true
    return result
  }
}
