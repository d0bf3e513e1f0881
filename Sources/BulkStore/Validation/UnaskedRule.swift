/// A rule of a model that cannot be asked of a store's rows here, as it could by Core Data.
package struct UnaskedRule: Hashable, Sendable {
  /// The entity whose attribute it is about.
  package let entity: String
  /// The attribute.
  package let attribute: String
  /// The rule, as a model says it.
  package let rule: String
  /// What keeps it from being asked, as what is to be said of it.
  package let reason: String
}

extension UnaskedRule: CustomStringConvertible {
  package var description: String {
    "rule \(rule) of \(entity).\(attribute) is not asked: it \(reason)"
  }
}

extension StoreSchema {
  /// The rules of the model that cannot be asked, in the order of the tables and their columns.
  package var unaskedRules: [UnaskedRule] {
    entityTables.flatMap { ValidationRules($0, of: self).unasked }
  }
}
