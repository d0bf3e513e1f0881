/// The collection operators of key paths (Key-Value Coding Programming Guide).
///
/// The raw value is the key.
package enum CollectionOperator: String, CaseIterable, Sendable {
  case count = "@count"
  case sum = "@sum"
  case average = "@avg"
  case minimum = "@min"
  case maximum = "@max"
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  case unionOfObjects = "@unionOfObjects"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case unionOfArrays = "@unionOfArrays"
  case distinctUnionOfSets = "@distinctUnionOfSets"

  /// Whether a key has the form of an operator, known or not.
  package static func isWritten(_ key: String) -> Bool { key.hasPrefix("@") }

  /// Whether the operator unites collections and leaves their elements unchanged.
  package var isUnion: Bool {
    switch self {
    case .count, .sum, .average, .minimum, .maximum: false
    case .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays,
      .distinctUnionOfSets:
      true
    }
  }
}
