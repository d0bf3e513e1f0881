/// Why expressions cannot be tried.
package struct TrialRefusal: Error, CustomStringConvertible {
  package let description: String
  /// Whether it is a name that the mapping file does not have.
  package let isOfName: Bool

  init(_ description: String, isOfName: Bool = false) {
    (self.description, self.isOfName) = (description, isOfName)
  }
}
