/// How much a mapping file may describe.
///
/// The largest mapping model known has some 60 entity mappings with 1500 property mappings.
enum MappingLimits {
  /// The most entity mappings.
  static let entityMappings = 10_000
  /// The most property mappings of all entity mappings.
  static let propertyMappings = 100_000
  /// The most versions and mappings of a chain.
  static let chainPlaces = 1000
}
