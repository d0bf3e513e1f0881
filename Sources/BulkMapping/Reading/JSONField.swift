internal import BulkSupport

/// An entry that objects of one kind in a mapping file may have, and how it is read.
///
/// The rows of all kinds are the format: any other entry is refused.
struct JSONField<Draft>: Sendable {
  let name: String
  /// The entries that cannot stand beside it.
  var excluded: [String] = []
  /// The entry that must stand beside it.
  var required: String?
  private let read: @Sendable (MappingJSONReader, JSONValue, _ subject: String, inout Draft) -> Void

  init(
    _ name: String,
    excluding excluded: [String] = [],
    requiring required: String? = nil,
    _ read:
      @escaping @Sendable (MappingJSONReader, JSONValue, _ subject: String, inout Draft) -> Void
  ) {
    (self.name, self.excluded, self.required, self.read) = (name, excluded, required, read)
  }

  /// An entry that becomes the value of a property.
  init<Value>(
    _ name: String,
    _ path: any WritableKeyPath<Draft, Value?> & Sendable,
    excluding excluded: [String] = [],
    requiring required: String? = nil,
    _ value: @escaping @Sendable (MappingJSONReader, JSONValue, _ subject: String) -> Value?
  ) {
    self.init(name, excluding: excluded, requiring: required) {
      $3[keyPath: path] = value($0, $1, $2)
    }
  }

  func read(
    _ entries: [String: JSONValue],
    _ reader: MappingJSONReader,
    _ beginning: String,
    into draft: inout Draft
  ) {
    guard let value = entries[name] else { return }
    let subject = beginning + name
    for other in excluded where entries[other] != nil {
      reader.error(value, subject, "\(name) and \(other) exclude each other")
    }
    if let required, entries[required] == nil {
      reader.error(value, subject, "\(name) belongs to \(required), which is not there")
    }
    read(reader, value, subject, &draft)
  }
}

/// The entries of the objects in a mapping file, by their kind.
package enum MappingFormat {
  package static let entries: [String: [String]] = [
    "file": (MappingJSONReader.head.map(\.name) + MappingJSONReader.body.map(\.name)),
    "endpoint": MappingJSONReader.endpoint.map(\.name),
    "entityMapping": MappingJSONReader.entityMapping.map(\.name),
    "attribute": MappingJSONReader.attribute.map(\.name),
    "relationship": MappingJSONReader.relationship.map(\.name),
    "expectation": MappingJSONReader.expectation.map(\.name),
    "count": MappingJSONReader.count.map(\.name),
  ]
}

/// The limits on the content of a mapping file.
///
/// The largest known mapping model has some 60 entity mappings with 1500 property mappings.
enum MappingLimits {
  static let entityMappings = 10_000
  /// The limit of property mappings of all entity mappings together.
  static let propertyMappings = 100_000
  /// The limit of values in the table of a property.
  static let lookupEntries = 1000
  static let expectations = 10_000
  /// The limit of files that together are a mapping.
  static let parts = 1000
  /// The limit of versions and mappings in a chain.
  static let chainEntries = 1000
}
