internal import BulkSupport
internal import BulkMapping
internal import BulkModel

/// A line of a reject file.
struct RejectLine {
  let text: String
  let entity: String
  /// The key of the object; `nil` where its source is a store between two legs of a route, so that
  /// the line must not be changed.
  let key: Int64?
  private let root: JSONValue

  /// `nil` if the text is not the line of an object.
  init?(_ text: String) {
    guard let root = try? JSONDocument(Array(text.utf8)).root,
      case .integer(let key)? = root["key"].flatMap(AttributeValue.init(json:)),
      let entity = root["entity"]?.string
    else { return nil }
    (self.text, self.entity, self.root) = (text, entity, root)
    self.key = root["leg"] == nil ? key : nil
  }

  /// Empty if no member of the name holds an object.
  func members(of name: String) -> [JSONMember] { root[name]?.members ?? [] }
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
