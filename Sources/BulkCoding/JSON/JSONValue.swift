/// A value of a JSON document, and where it stands.
package struct JSONValue: Hashable, Sendable {
  /// What a value is.
  package indirect enum Content: Hashable, Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case boolean(Bool)
    /// A number, as it is written.
    case number(String)
    /// Text.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Values by name, in the document's order; of a name that is there twice, only the first.
    case object([JSONMember])
  }

  /// What it is.
  package let content: Content
  /// The number of bytes before it.
  package let offset: Int

  /// The text, if it is one.
  package var string: String? {
    if case .string(let text) = content { return text }
    return nil
  }

  /// What it is called in messages.
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

/// A value of a JSON object, with its name.
package struct JSONMember: Hashable, Sendable {
  /// The name.
  package let name: String
  /// The number of bytes before the name.
  package let offset: Int
  /// The value.
  package let value: JSONValue
}
