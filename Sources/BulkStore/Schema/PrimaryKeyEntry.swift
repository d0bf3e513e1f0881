/// A row of `Z_PRIMARYKEY`.
package struct PrimaryKeyEntry: Hashable, Sendable {
  /// The entity's number, `Z_ENT`.
  package let number: Int64
  /// The entity's name, `Z_NAME`.
  package let name: String
  /// The number of its superentity, or 0; `Z_SUPER`.
  package let superentity: Int64
  /// The highest key ever handed out in its table, `Z_MAX`; always 0 for a subentity.
  package let highestKey: Int64

  package init(number: Int64, name: String, superentity: Int64, highestKey: Int64) {
    self.number = number
    self.name = name
    self.superentity = superentity
    self.highestKey = highestKey
  }
}
