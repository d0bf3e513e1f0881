/// A value of a JSON document, and its position.
package struct JSONValue: Hashable, Sendable {
  /// The content of a value.
  package indirect enum Content: Hashable, Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case boolean(Bool)
    /// A number, as written.
    case number(String)
    /// Text.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Values by name, in document order; of duplicate names, only the first.
    case object([JSONMember])
  }

  /// The content.
  package let content: Content
  /// The offset of the value in bytes.
  package let offset: Int

  /// The text, if the value is one.
  package var string: String? {
    if case .string(let text) = content { return text }
    return nil
  }

  /// The kind of the value, for messages.
  package var kind: String {
    switch content {
    case .null: "null"
    case .boolean: "a Boolean"
    case .number: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// A member of a JSON object.
package struct JSONMember: Hashable, Sendable {
  /// The name.
  package let name: String
  /// The offset of the name in bytes.
  package let offset: Int
  /// The value.
  package let value: JSONValue
}
