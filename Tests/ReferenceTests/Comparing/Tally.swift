/// How much was compared.
struct Tally: Hashable, Sendable {
  var objects = 0
  /// Links as each of their sides sees them.
  var links = 0
  /// Those of ordered relationships.
  var orderedLinks = 0
  /// Objects that were rightly refused.
  var violations = 0

  mutating func add(_ other: Tally) {
    objects += other.objects
    links += other.links
    orderedLinks += other.orderedLinks
    violations += other.violations
  }
}
