/// A `Schema.Version` of SwiftData, which a store of it records as the identifier of its model: `1.2.0`.
struct SchemaVersion: Comparable {
  private let numbers: [Int]

  /// The version that a store's identifiers are; `nil` where they are not one of three numbers.
  package init?(_ identifiers: [String]) {
    guard identifiers.count == 1,
      let parts = identifiers.first?.split(separator: ".", omittingEmptySubsequences: false)
    else { return nil }
    numbers = parts.compactMap { part in part.allSatisfy(\.isASCII) ? Int(part) : nil }
    guard parts.count == 3, numbers.count == 3, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
  }

  package static func < (first: SchemaVersion, second: SchemaVersion) -> Bool {
    first.numbers.lexicographicallyPrecedes(second.numbers)
  }
}
