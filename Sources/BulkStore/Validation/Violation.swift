/// A row of the destination that violates a rule of its model.
package struct Violation: Hashable, Sendable {
  package let entity: String
  package let key: Int64
  /// The property at fault; the properties of a uniqueness constraint, with commas.
  package let property: String
  /// In the words of a model.
  package let rule: String
  /// `nil` if it is unknown.
  package var origin: ObjectOrigin?
  /// The value at fault, shortened if it is long; `nil` for no value.
  package let value: String?

  package init(
    entity: String,
    key: Int64,
    origin: ObjectOrigin? = nil,
    property: String,
    rule: String,
    value: String?
  ) {
    self.entity = entity
    self.key = key
    self.origin = origin
    self.property = property
    self.rule = rule
    self.value = value
  }

  /// The rule that is violated by the values of an object that another one has.
  package static let uniquenessRule = "unique"

  /// The rule of a source object that a policy rejects.
  package static let policyRule = "rejected by the policy"

  /// The rule that a source object violates if the object made from it equals that of one before
  /// it.
  package static let duplicateRule = "the same as an object before it"

  /// The rule of a to-one relationship that gets several objects from a source object.
  package static let severalObjectsRule = "one object, which [FIRST] or anyObject takes of several"

  /// The rule of an object of several source objects whose relationships its mapping assigns.
  package static let severalSourcesRule =
    "one source object, unless createRelationships of the policy sets the relationships"

  /// Whether no object of the destination is made from the source object that violates the rule.
  package var isOfNoObject: Bool { rule == Self.policyRule || rule == Self.duplicateRule }

  /// The rule that is violated if an expression fails to compute a value.
  package static let expressionRule = "expression"
}

/// The source of an object of the destination.
package struct ObjectOrigin: Hashable, Sendable {
  package let mapping: String
  package let entity: String
  package let key: Int64

  package init(mapping: String, entity: String, key: Int64) {
    self.mapping = mapping
    self.entity = entity
    self.key = key
  }
}
