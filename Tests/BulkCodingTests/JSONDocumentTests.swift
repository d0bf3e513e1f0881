import BulkSupport
import Testing

struct JSONDocumentTests {
  /// A value in the shortest form in which a person would write it.
  private func text(_ value: JSONValue) -> String {
    switch value.content {
    case .null: "null"
    case .boolean(let flag): "\(flag)"
    case .number(let digits): digits
    case .string(let text): JSONText.quoted(text)
    case .array(let elements): "[" + elements.map(text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { JSONText.quoted($0.name) + ":" + text($0.value) }.joined(separator: ",")
        + "}"
    }
  }

  private func document(_ text: String) throws -> JSONDocument {
    try JSONDocument(Array(text.utf8))
  }

  @Test(arguments: [
    (" null ", "null"), ("true", "true"), ("[ ]", "[]"), ("{ }", "{}"),
    ("[1, -2.50,\t3e+7 ,\r\n0]", "[1,-2.50,3e+7,0]"),
    (#"{"b": {"a": []}, "a": false}"#, #"{"b":{"a":[]},"a":false}"#),
    (#""A\u00e9\ud83d\ude00\/\n""#, "\"Aé😀/\\n\""),
    ("\u{FEFF}\"日本\"", "\"日本\""),
  ])
  func `values of every kind are read`(json: String, expected: String) throws {
    #expect(text(try document(json).root) == expected)
  }

  @Test(arguments: [
    ("", "1:1: expected a value, found the end"),
    ("nul", "1:1: expected a value, found 'n'"),
    ("[1,]", "1:3: trailing comma: nothing follows it but ']'"),
    ("{\"a\": 1,\n}", "1:8: trailing comma: nothing follows it but '}'"),
    ("[,]", "1:2: expected a value, found ','"),
    ("[1 2]", "1:4: expected ',' or ']', found '2'"),
    ("{\"a\" 1}", "1:6: expected ':', found '1'"),
    ("{a: 1}", "1:2: expected a name in quotation marks, found 'a'"),
    ("{\"a\": 1\n  é}", "2:3: expected ',' or '}', found 'é'"),
    ("01", "1:2: expected the end, found '1'"),
    ("-", "1:2: expected a digit, found the end"),
    ("1.", "1:3: expected a digit, found the end"),
    ("1e+", "1:4: expected a digit, found the end"),
    ("[\"é\", \"ab", "1:7: the text that begins here has no end"),
    ("\"a\nb\"", "1:3: a text holds the control character 10; write it as \\u000a"),
    (#""\q""#, "1:2: invalid escape sequence; write \\\\ for a backslash"),
    (#""\u12g4""#, #"1:2: \u needs four hexadecimal digits"#),
    (#""\u+123""#, #"1:2: \u needs four hexadecimal digits"#),
    (#""\ud83d""#, "1:2: half of a surrogate pair is missing"),
    (#""\ude00""#, "1:2: half of a surrogate pair is missing"),
    ("null null", "1:6: expected the end, found 'n'"),
  ])
  func `what breaks the grammar is refused, with its place`(json: String, expected: String) {
    let error = #expect(throws: JSONError.self) { try document(json) }
    #expect(error?.description == expected)
  }

  @Test(
    arguments: [
      ([0x22, 0xFF, 0x22], "1:2: the byte 255 is not UTF-8 here"),
      ([0x22, 0xC0, 0xAF, 0x22], "1:2: the byte 192 is not UTF-8 here"),
      ([0x22, 0xED, 0xA0, 0x80, 0x22], "1:2: the byte 237 is not UTF-8 here"),
      ([0x22, 0xE2, 0x82], "1:2: the byte 226 is not UTF-8 here"),
      ([0xFF], "1:1: expected a value, found the byte 255"),
      ([0x5B, 0x00], "1:2: expected a value, found the byte 0"),
    ] as [([UInt8], String)]
  )
  func `bytes that are not UTF-8 are refused`(bytes: [UInt8], expected: String) {
    let error = #expect(throws: JSONError.self) { try JSONDocument(bytes) }
    #expect(error?.description == expected)
  }

  @Test func `values lie no more than 512 deep`() throws {
    let deepest = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(text(try document(deepest).root) == deepest)
    let error = #expect(throws: JSONError.self) {
      try document(String(repeating: "{\"a\":", count: 513))
    }
    #expect(error?.description == "1:2561: more than 512 values lie in one another")
  }

  @Test func `a document of more than 8 MiB is refused`() {
    let spaces = [UInt8](repeating: 0x20, count: 8 * 1024 * 1024 + 1)
    let error = #expect(throws: JSONError.self) { try JSONDocument(spaces) }
    #expect(error?.reason == "it is larger than 8388608 bytes")
  }

  @Test func `a name that is there twice counts once and is told`() throws {
    let found = try document("{\"a\": 1,\n \"b\": 2, \"a\": 3}")
    #expect(text(found.root) == #"{"a":1,"b":2}"#)
    #expect(found.duplicates.map(\.name) == ["a"])
    #expect(found.duplicates.map { found.position(of: $0.offset).description } == ["2:10"])
  }

  /// The text is `a"é😀b`; its literal begins in line 2, column 3.
  @Test(arguments: [(0, "2:4"), (1, "2:5"), (2, "2:7"), (3, "2:13"), (4, "2:14"), (5, "2:15")])
  func `a place in a text counts its escapes`(scalar: Int, expected: String) throws {
    let found = try document("[\n  \"a\\\"\\u00e9😀b\"]")
    guard case .array(let elements) = found.root.content else { return }
    #expect(elements.first?.string == "a\"é😀b")
    let location = found.position(ofScalar: scalar, inStringAt: elements.first?.offset ?? 0)
    #expect(location.description == expected)
  }

  @Test func `a text is written with no more escapes than it needs`() {
    #expect(JSONText.quoted("a\"b\\c/é\n\r\t\u{1}") == #""a\"b\\c/é\n\r\t\u0001""#)
  }
}
