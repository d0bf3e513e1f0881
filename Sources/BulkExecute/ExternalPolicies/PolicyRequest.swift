internal import BulkSupport
internal import BulkModel

/// A line to a policy's program: one object of JSON, whose members are written in their order.
///
/// It is sent piece by piece, so that a large value is held once and not as JSON too.
struct PolicyRequest {
  /// The most bytes of a text, or of bytes, that become JSON at a time; a multiple of three, which base 64 turns into
  /// four characters without a rest.
  private static let pieceBytes = 3 << 14

  private let send: ([UInt8]) throws -> Void
  private var unsent: [UInt8] = []
  private(set) var bytes = 0
  private var isFirstRow = true

  init(
    _ id: Int64,
    _ hook: String,
    _ mapping: String,
    _ send: @escaping ([UInt8]) throws -> Void
  ) throws {
    self.send = send
    try write("{\"id\":\(id)")
    try add("hook", text: hook)
    try add("mapping", text: mapping)
  }

  private mutating func write(_ json: String) throws {
    unsent += json.utf8
    bytes += json.utf8.count
    if unsent.count >= Self.pieceBytes { try sendAll() }
  }

  private mutating func sendAll() throws {
    try send(unsent)
    unsent.removeAll(keepingCapacity: true)
  }

  private mutating func add(_ member: String, json: String) throws {
    try write(",\"\(member)\":\(json)")
  }

  /// Adds an object with its members in the order of their names; a repeated name keeps its first value.
  private mutating func add(_ member: String, object: [(String, json: String)]) throws {
    let members = Dictionary(object) { first, _ in first }.sorted { $0.key < $1.key }
    try add(member, json: JSONText.object(members.map { ($0.key, $0.value) }))
  }

  mutating func add(_ member: String, text: String) throws {
    try add(member, json: JSONText.quoted(text))
  }

  mutating func add(_ member: String, texts: [(String, String)]) throws {
    try add(member, object: texts.map { ($0, JSONText.quoted($1)) })
  }

  mutating func add(userInfo: [String: AttributeValue]) throws {
    guard !userInfo.isEmpty else { return }
    try add("userInfo", object: userInfo.map { ($0, PolicyValue.tagged($1)) })
  }

  mutating func add(_ member: String, tagged values: [AttributeValue]) throws {
    try add(member, json: "[\(values.map(PolicyValue.tagged).joined(separator: ","))]")
  }

  mutating func beginRows() throws { try write(",\"rows\":[") }

  mutating func endRows() throws { try write("]") }

  /// Adds a row: its objects, then the values that the program asked for.
  mutating func addRow(_ objects: [String], _ values: [AttributeValue]) throws {
    try write("\(isFirstRow ? "" : ",")[\(objects.joined(separator: ","))")
    isFirstRow = false
    for value in values {
      try write(",")
      switch value {
      case .string(let text), .uri(let text): try write(quoting: text)
      case .binary(let bytes): try write(base64: bytes)
      case .null, .boolean, .integer, .double, .decimal, .date, .uuid:
        try write(PolicyValue.json(value))
      }
    }
    try write("]")
  }

  private mutating func write(quoting text: String) throws {
    try write("\"")
    var rest = text[...]
    while !rest.isEmpty {
      let end =
        rest.utf8.index(rest.startIndex, offsetBy: Self.pieceBytes, limitedBy: rest.endIndex)
        ?? rest.endIndex
      // A piece does not end within a scalar.
      let piece = String(rest.unicodeScalars[..<end])
      try write(JSONText.escaped(piece))
      rest = rest[rest.utf8.index(rest.startIndex, offsetBy: piece.utf8.count)...]
    }
    try write("\"")
  }

  private mutating func write(base64 bytes: [UInt8]) throws {
    try write("\"")
    for start in stride(from: 0, to: bytes.count, by: Self.pieceBytes) {
      let piece = bytes[start..<min(start + Self.pieceBytes, bytes.count)]
      try write(Data(piece).base64EncodedString())
    }
    try write("\"")
  }

  mutating func end() throws {
    try write("}\n")
    try sendAll()
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
      throw PolicyError("it is not JSON, column \(error.position.column): \(error.reason)")
    }
    try root.refuseMembers(of: "it", except: Self.names)
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
