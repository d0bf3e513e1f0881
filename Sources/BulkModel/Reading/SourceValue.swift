internal import Foundation

/// Values that model sources write as text.
enum SourceValue {
  /// `YES` and `NO`, and what hand-written files say instead.
  static func boolean(_ text: String) -> Bool? {
    switch text {
    case "YES", "true", "1": true
    case "NO", "false", "0": false
    default: nil
    }
  }

  /// The value of a text in an attribute of a type, or `nil` if it is none.
  ///
  /// An integer may have a fraction of zero, and a number may be written as a Boolean, since the
  /// editor keeps a text when the type of its attribute changes. `YES` and `NO` as a number are 0:
  /// where a model says so, the caches of its stores, and the copies in mapping models, have 0.
  static func value(_ text: String, of type: AttributeType) -> AttributeValue? {
    switch type {
    case .integer16, .integer32, .integer64: integer(text).map { .integer($0) }
    case .decimal: decimal(text).map { .decimal($0) }
    case .double, .float: double(text).map { .double($0) }
    case .boolean: boolean(text).map { .boolean($0) } ?? integer(text).map { .boolean($0 != 0) }
    case .string: .string(text)
    case .date: Double(text).flatMap { $0.isFinite ? .date($0) : nil }
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .uri: .uri(text)
    case .undefined, .binaryData, .transformable, .objectID, .composite: nil
    }
  }

  private static func integer(_ text: String) -> Int64? {
    if let number = Int64(text) { return number }
    return double(text).flatMap { Int64(exactly: $0) }
  }

  private static func double(_ text: String) -> Double? {
    if let number = Double(text) { return number.isFinite ? number : nil }
    return boolean(text) == nil ? nil : 0
  }

  private static func decimal(_ text: String) -> Decimal? {
    // Foundation reads as far as it understands; a number has no other characters.
    let isNumber = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    return isNumber ? Decimal(string: text) : boolean(text).map { _ in 0 }
  }
}
