internal import BulkCoding
internal import BulkMapping
internal import BulkModel

/// A line of a reject file.
struct RejectLine {
  let text: String
  let entity: String
  /// The key of the object; `nil` where its source is a store between two legs of a route, so that
  /// the line must not be changed.
  let key: Int64?
  private let members: [JSONMember]

  /// The line of a text; `nil` if it is not one.
  init?(_ text: String) {
    guard let members = try? JSONDocument(Array(text.utf8)).root.members,
      case .integer(let key)? = members.first(where: { $0.name == "key" })
        .flatMap({ AttributeValue(json: $0.value) }),
      case .string(let entity)? = members.first(where: { $0.name == "entity" })?.value.content
    else { return nil }
    (self.text, self.entity, self.members) = (text, entity, members)
    self.key = members.contains { $0.name == "leg" } ? nil : key
  }

  /// The members of an object in the line; empty if there is none.
  func members(of name: String) -> [JSONMember] {
    members.first { $0.name == name }?.value.members ?? []
  }
}

extension JSONValue {
  /// The members of an object; `nil` for anything else.
  fileprivate var members: [JSONMember]? {
    if case .object(let members) = content { return members }
    return nil
  }
}

/// A digest of the unchangeable parts of a reject file's lines, in their order.
struct RejectDigest {
  private var hash = SHA256()

  /// Adds the key of an object whose values may be corrected.
  mutating func add(_ key: Int64) { add("\(key)") }

  /// Adds a line that must not be changed.
  mutating func add(_ line: String) { hash.update(Array((line + "\n").utf8)) }

  mutating func add(_ line: RejectLine) {
    if let key = line.key { add(key) } else { add(line.text) }
  }

  /// The digest in hexadecimal.
  var text: String {
    var hash = hash
    return VersionHash.hexadecimal(hash.finalize())
  }
}
