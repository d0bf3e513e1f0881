internal import BulkCoding
internal import BulkMapping
internal import BulkModel
internal import BulkPlatform

/// A line to a policy's program: one object of JSON, whose members are written in their order.
struct PolicyRequest {
  /// The number of the request.
  let id: Int64
  private(set) var line: [UInt8]
  /// The values that stand in files, which must be there until the request is answered.
  private(set) var files: [UnnamedFile] = []
  /// The bytes of a text or of data that stand in the line; more stand in a file.
  static let valueBytes = 1 << 16
  /// The number of bytes before the hook.
  private let headBytes: Int

  /// A request for a hook or a function.
  ///
  /// - Parameters:
  ///   - id: The number of the request, which its answer repeats.
  ///   - name: The hook or the function.
  ///   - mapping: The name of the entity mapping.
  init(_ id: Int64, _ name: String, _ mapping: String) {
    self.id = id
    let head = "{\"id\":\(id)"
    headBytes = head.utf8.count
    line = Array("\(head),\"hook\":\(JSONText.quoted(name))".utf8)
    add("mapping", text: mapping)
  }

  /// A request that was made before, with another number.
  init(_ id: Int64, again sample: PolicySample) {
    self.id = id
    let head = "{\"id\":\(id)"
    headBytes = head.utf8.count
    line = Array(head.utf8) + sample.request
  }

  /// The first bytes of the request, without its number.
  func withoutNumber(_ bytes: Int) -> Data { Data(line[headBytes..<bytes]) }

  mutating func add(_ member: String, text: String) {
    line += ",\"\(member)\":\(JSONText.quoted(text))".utf8
  }

  /// Adds an object of texts, sorted by their names.
  mutating func add(_ member: String, texts: [String: String]) {
    let members = texts.sorted { $0.key < $1.key }.map {
      "\(JSONText.quoted($0.key)):\(JSONText.quoted($0.value))"
    }
    line += ",\"\(member)\":{\(members.joined(separator: ","))}".utf8
  }

  /// Adds the values that policies keep between calls, where there are some.
  mutating func add(userInfo: [String: AttributeValue]) {
    guard !userInfo.isEmpty else { return }
    line += ",\"userInfo\":{".utf8
    for (place, value) in userInfo.sorted(by: { $0.key < $1.key }).enumerated() {
      line += "\(place == 0 ? "" : ",")\(JSONText.quoted(value.key)):".utf8
      PolicyValue.appendTagged(value.value, to: &line)
    }
    line += "}".utf8
  }

  mutating func add(_ member: String, tagged values: [AttributeValue]) {
    line += ",\"\(member)\":[".utf8
    for (place, value) in values.enumerated() {
      if place > 0 { line += ",".utf8 }
      PolicyValue.appendTagged(value, to: &line)
    }
    line += "]".utf8
  }

  /// Begins the list of rows.
  mutating func beginRows() { line += ",\"rows\":[".utf8 }

  /// Adds a row: its keys, then the values that the program asked for.
  ///
  /// - Throws: ``PolicyError`` if a large value cannot be put into a file.
  mutating func addRow(_ keys: [Int64], _ values: [AttributeValue]) throws(PolicyError) {
    if line.last != UInt8(ascii: "[") { line += ",".utf8 }
    line += "[\(keys.map { String($0) }.joined(separator: ","))".utf8
    for value in values {
      line += ",".utf8
      if value.contentBytes > Self.valueBytes {
        try addFile(value)
      } else {
        PolicyValue.append(value, to: &line)
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

  /// The line, with the ends of its lists.
  func ended(hasRows: Bool) -> [UInt8] { line + (hasRows ? "]}\n" : "}\n").utf8 }
}

/// An answer of a policy's program.
struct PolicyReply {
  private let members: [JSONMember]

  /// Reads an answer, which repeats the number of the request.
  ///
  /// - Throws: ``PolicyError``.
  init(_ line: [UInt8], to id: Int64) throws(PolicyError) {
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONDocument(line).root
    } catch {
      throw PolicyError("it is no JSON, column \(error.position.column): \(error.reason)")
    }
    guard case .object(let members) = root.content else {
      throw PolicyError("it is \(root.kind), not an object")
    }
    self.members = members
    guard case .number("\(id)") = self["id"]?.content else {
      throw PolicyError(
        "its \"id\" is \(self["id"].map(PolicyValue.shown) ?? "missing"), where the request has \(id)"
      )
    }
    for member in members where !Self.names.contains(member.name) {
      throw PolicyError("it has a member \"\(member.name)\", which means nothing")
    }
  }

  private static let names: Set<String> = [
    "id", "bulkmigrate", "hooks", "values", "functions", "objects", "userInfo", "value",
  ]

  subscript(name: String) -> JSONValue? { members.first { $0.name == name }?.value }

  /// A list of texts; empty where there is none.
  func texts(_ name: String) throws(PolicyError) -> [String] {
    guard let value = self[name] else { return [] }
    guard case .array(let elements) = value.content else {
      throw PolicyError("its \"\(name)\" is \(value.kind), not an array")
    }
    return try elements.map { element throws(PolicyError) in
      guard let text = element.string else {
        throw PolicyError("its \"\(name)\" has \(element.kind), not a text")
      }
      return text
    }
  }

  /// One answer for each row.
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
  func userInfo() throws(PolicyError) -> [String: AttributeValue]? {
    guard let value = self["userInfo"] else { return nil }
    guard case .object(let members) = value.content else {
      throw PolicyError("its \"userInfo\" is \(value.kind), not an object")
    }
    var result: [String: AttributeValue] = [:]
    for member in members { result[member.name] = try PolicyValue.taggedValue(member.value) }
    return result
  }
}
