/// A row of the destination that breaks a rule of its model.
package struct Violation: Hashable, Sendable {
  /// The object's entity.
  package let entity: String
  /// The key of its row.
  package let key: Int64
  /// The property at fault; the properties of a uniqueness constraint, with commas.
  package let property: String
  /// The rule, as a model says it.
  package let rule: String
  /// The value at fault, shortened where it is long; `nil` for no value.
  package let value: String?

  package init(entity: String, key: Int64, property: String, rule: String, value: String?) {
    self.entity = entity
    self.key = key
    self.property = property
    self.rule = rule
    self.value = value
  }
}
