internal import BulkCoding
internal import BulkModel
internal import BulkPlatform

/// A line to a policy's program: one object of JSON, whose members are written in their order.
struct PolicyRequest {
  let id: Int64
  /// The bytes after the number.
  private(set) var line: [UInt8]
  /// The values that stand in files, which must be there until the request is answered.
  private(set) var files: [UnnamedFile] = []
  /// The bytes of a text or of data that stand in the line; more stand in a file.
  static let valueBytes = 1 << 16

  init(_ id: Int64, _ name: String, _ mapping: String) {
    self.id = id
    line = []
    add("hook", text: name)
    add("mapping", text: mapping)
  }

  /// A request that was made before, with another number.
  init(_ id: Int64, again sample: PolicySample) {
    (self.id, line) = (id, Array(sample.request))
  }

  private mutating func add(_ member: String, json: String) {
    line += ",\"\(member)\":\(json)".utf8
  }

  /// Adds an object with its members in the order of their names; a repeated name keeps its first value.
  private mutating func add(_ member: String, object: [(String, json: String)]) {
    let members = Dictionary(object) { first, _ in first }.sorted { $0.key < $1.key }
      .map { "\(JSONText.quoted($0.key)):\($0.value)" }
    add(member, json: "{\(members.joined(separator: ","))}")
  }

  mutating func add(_ member: String, text: String) { add(member, json: JSONText.quoted(text)) }

  mutating func add(_ member: String, texts: [(String, String)]) {
    add(member, object: texts.map { ($0, JSONText.quoted($1)) })
  }

  mutating func add(userInfo: [String: AttributeValue]) {
    guard !userInfo.isEmpty else { return }
    add("userInfo", object: userInfo.map { ($0, PolicyValue.tagged($1)) })
  }

  mutating func add(_ member: String, tagged values: [AttributeValue]) {
    add(member, json: "[\(values.map(PolicyValue.tagged).joined(separator: ","))]")
  }

  mutating func beginRows() { line += ",\"rows\":[".utf8 }

  /// Adds a row: its objects, then the values that the program asked for, large ones in files.
  mutating func addRow(_ objects: [String], _ values: [AttributeValue]) throws(PolicyError) {
    if line.last != UInt8(ascii: "[") { line += ",".utf8 }
    line += "[\(objects.joined(separator: ","))".utf8
    for value in values {
      line += ",".utf8
      if value.contentBytes > Self.valueBytes {
        try addFile(value)
      } else {
        line += PolicyValue.json(value).utf8
      }
    }
    line += "]".utf8
  }

  /// Adds the path of a file with a large value, whose copies in memory would not count.
  private mutating func addFile(_ value: AttributeValue) throws(PolicyError) {
    let bytes: [UInt8] =
      switch value {
      case .binary(let bytes): bytes
      case .string(let text), .uri(let text): Array(text.utf8)
      case .null, .boolean, .integer, .double, .decimal, .date, .uuid: []
      }
    do throws(UnnamedFile.Failure) {
      let file = try UnnamedFile(bytes)
      files.append(file)
      line += "{\"file\":\(JSONText.quoted(file.path)),\"bytes\":\(bytes.count)}".utf8
    } catch {
      throw PolicyError("\(error)")
    }
  }

  func ended(hasRows: Bool) -> [UInt8] {
    Array("{\"id\":\(id)".utf8) + line + (hasRows ? "]}\n" : "}\n").utf8
  }
}

/// An answer of a policy's program.
struct PolicyReply {
  private let root: JSONValue

  /// The answer repeats the number of the request.
  init(_ line: [UInt8], to id: Int64) throws(PolicyError) {
    do throws(JSONError) {
      root = try JSONDocument(line).root
    } catch {
      throw PolicyError("it is no JSON, column \(error.position.column): \(error.reason)")
    }
    try root.refuseMembers(of: "it", besides: Self.names)
    guard case .number("\(id)") = self["id"]?.content else {
      throw PolicyError(
        "its \"id\" is \(self["id"].map(PolicyValue.shown) ?? "missing"), where the request has \(id)"
      )
    }
  }

  private static let names: Set<String> = [
    "id", "bulkmigrate", "hooks", "values", "functions", "objects", "userInfo", "value",
  ]

  subscript(name: String) -> JSONValue? { root[name] }

  func texts(_ name: String) throws(PolicyError) -> [String] {
    try self[name]?.elements(of: name).map { element throws(PolicyError) in
      try element.text(of: name)
    } ?? []
  }

  func objects(_ count: Int) throws(PolicyError) -> [JSONValue] {
    guard case .array(let objects) = self["objects"]?.content else {
      throw PolicyError("it has no list \"objects\"")
    }
    guard objects.count == count else {
      throw PolicyError("it has \(objects.count) objects for \(count) rows")
    }
    return objects
  }

  /// The values to keep between calls; `nil` where they stay what they are.
  func userInfo() throws -> [String: AttributeValue]? {
    try self["userInfo"]?.members(of: "userInfo").reduce(into: [:]) { result, member in
      result[member.name] = try PolicyValue.taggedValue(member.value)
    }
  }
}
