/// Steps that follow one another and are done as one.
package struct MigrationLeg: Sendable {
  /// The steps, at least one.
  package internal(set) var hops: [MigrationHop]
  /// Why the leg is not one with that before it, a sentence each; none for the first.
  package let boundary: [String]
}
