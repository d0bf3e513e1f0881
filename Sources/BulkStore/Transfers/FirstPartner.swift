/// A choice of one partner among several.
package struct FirstPartner: Hashable, Sendable {
  /// How the partners are found.
  package let lookup: RelationshipRows
  /// How a partner finds its own first one, if a pair is only kept when each is the first of the other.
  package let wayBack: RelationshipRows?

  package init(lookup: RelationshipRows, wayBack: RelationshipRows?) {
    self.lookup = lookup
    self.wayBack = wayBack
  }
}
