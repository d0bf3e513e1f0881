internal import BulkPlatform

/// Decodes values that model sources write as text.
enum SourceValue {
  /// `YES` and `NO`, and their variants in handwritten files.
  static func boolean(_ text: String) -> Bool? {
    switch text {
    case "YES", "true", "1": true
    case "NO", "false", "0": false
    default: nil
    }
  }

  /// The value of a text for an attribute's type; `nil` if the text is invalid.
  ///
  /// An integer may have a fraction of zero, and a number may be written as a Boolean, because the editor
  /// keeps a text when the type of its attribute changes. `YES` and `NO` as numbers are 0, as in the model
  /// caches of stores and the copies in mapping models.
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
    // Foundation ignores trailing characters; a number has no other characters.
    let isNumber = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    return isNumber ? Decimal(string: text) : boolean(text).map { _ in 0 }
  }
}
