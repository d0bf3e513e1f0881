/// A choice of one partner among several.
package struct FirstPartner: Hashable, Sendable {
  /// How the partners are found.
  package let lookup: RelationshipRows
  /// How a partner finds its own first one, if a pair is only kept when each is the first of the other.
  package let inverseLookup: RelationshipRows?

  package init(lookup: RelationshipRows, inverseLookup: RelationshipRows?) {
    self.lookup = lookup
    self.inverseLookup = inverseLookup
  }
}
