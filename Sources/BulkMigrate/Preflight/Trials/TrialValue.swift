internal import BulkExecute
internal import BulkMapping
package import BulkModel
internal import BulkStore
internal import BulkSupport

/// A value that an expression has for an object, as it is shown.
package indirect enum TrialValue: Hashable, Sendable {
  case attribute(AttributeValue)
  /// An object, as `Note 3`.
  case object(String)
  case list([TrialValue])
  /// Objects that are too many to hold in memory.
  case manyObjects
  /// A value that is not read, and why.
  case unread(String)

  /// Objects are named by the entities of a schema.
  init(_ value: EvaluatedValue, in schema: StoreSchema) {
    switch value {
    case .attribute(let value): self = .attribute(value)
    case .object(let object):
      let entity = schema.entityName(ofNumber: object.identity.entityNumber)
      self = .object("\(entity) \(object.identity.key)")
    case .collection(let found) where found.streamed != nil: self = .manyObjects
    case .collection(let found): self = .list(found.elements.map { TrialValue($0, in: schema) })
    }
  }

  package var type: String {
    switch self {
    case .attribute(.null): "nil"
    case .attribute(let value): value.kind.map { "\($0)" } ?? "nil"
    case .object: "object"
    case .unread: "binary"
    case .list, .manyObjects: "collection"
    }
  }
}

extension TrialValue: Encodable {
  /// As in mapping files: an object of one entry for what has no type in JSON.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .attribute(let value): try Self.encode(value, to: &container)
    case .object(let name): try container.encode(["object": name])
    case .list(let values): try container.encode(values)
    case .unread(let reason): try container.encode(["unread": reason])
    case .manyObjects: try container.encode(["objects": "too many to list"])
    }
  }

  private static func encode(
    _ value: AttributeValue,
    to container: inout any SingleValueEncodingContainer
  ) throws {
    switch value {
    case .null: try container.encodeNil()
    case .boolean(let flag): try container.encode(flag)
    case .integer(let number): try container.encode(number)
    case .double(let number) where number.isFinite: try container.encode(number)
    case .double(let number): try container.encode("\(number)")
    case .decimal(let number): try container.encode(["decimal": "\(number)"])
    case .string(let text): try container.encode(text)
    case .date(let seconds) where seconds.isFinite: try container.encode(["date": seconds])
    case .date(let seconds): try container.encode(["date": "\(seconds)"])
    case .binary(let bytes):
      try container.encode(["data": Data(bytes).base64EncodedString()])
    case .uuid(let uuid): try container.encode(["uuid": uuid.uuidString])
    case .uri(let uri): try container.encode(["uri": uri])
    }
  }
}

extension TrialValue: CustomStringConvertible {
  /// Of a collection.
  private static let shownElements = 5

  /// The value in one line; bytes are only counted.
  package var description: String {
    switch self {
    case .attribute(let value): Self.text(of: value)
    case .object(let name): name
    case .unread(let reason): reason
    case .manyObjects: "too many objects to list"
    case .list(let values):
      "[\(values.prefix(Self.shownElements).map(\.description).joined(separator: ", "))"
        + (values.count > Self.shownElements ? ", … \(values.count) total]" : "]")
    }
  }

  private static func text(of value: AttributeValue) -> String {
    switch value {
    case .null: "nil"
    case .boolean(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .string(let text): JSONText.quoted(text)
    case .date(let seconds): DateText.text(of: seconds.rounded(.down)) ?? "\(seconds) s after 2001"
    case .binary(let bytes): "\(Int64(bytes.count).grouped) bytes"
    case .uuid(let uuid): uuid.uuidString
    case .uri(let uri): uri
    }
  }
}
