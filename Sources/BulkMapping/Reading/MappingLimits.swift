/// The limits on the content of a mapping file.
///
/// The largest known mapping model has some 60 entity mappings with 1500 property mappings.
enum MappingLimits {
  /// The limit of entity mappings.
  static let entityMappings = 10_000
  /// The limit of property mappings in all entity mappings.
  static let propertyMappings = 100_000
  /// The limit of values in the table of a property.
  static let lookupEntries = 1000
  /// The limit of expectations.
  static let expectations = 10_000
  /// The limit of files that together are a mapping.
  static let parts = 1000
  /// The limit of versions and mappings in a chain.
  static let chainPlaces = 1000
}
