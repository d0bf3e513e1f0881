/// The value of a destination relationship under an entity mapping: the objects that some mappings
/// made of those at the end of a route.
struct MappedRelationship: Sendable {
  /// From the mapping's source object to those that are looked up.
  let route: SourceRoute
  /// The places of the mappings that may have made the objects, ascending.
  let targets: [Int]
}
