import BulkTestSupport
import Testing

struct PropertyListFormatTests {
  private static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
      <key>flags</key> <array><true/><false/></array>
      <key>numbers</key>
      <array>
        <integer>-2</integer><integer> 0x10 </integer>
        <integer>9223372036854775813</integer><real>1.5</real>
      </array>
      <key>reference</key> <dict><key>CF$UID</key><integer>3</integer></dict>
      <key>a &amp; b</key> <string>x &lt; y<![CDATA[ & z]]></string>
      <key>bytes</key> <data>AP
      8B</data>
      <key>day</key> <date>2001-01-02T00:00:00Z</date>
    </dict>
    </plist>
    """

  @Test func `every kind of value is read from XML`() throws {
    #expect(
      try PropertyList(Array(Self.xml.utf8))
        == .dictionary([
          "flags": .array([.boolean(true), .boolean(false)]),
          "numbers": .array([
            .integer(-2), .integer(16), .unsigned(9_223_372_036_854_775_813), .real(1.5),
          ]),
          "reference": .uid(3),
          "a & b": .string("x < y & z"),
          "bytes": .data([0, 255, 1]),
          "day": .date(86_400),
        ])
    )
  }

  @Test(arguments: ["{ a = b; }", " ( a, b )", "// !$*UTF8*$!\n{}"])
  func `the old-style format is refused with its conversion`(text: String) throws {
    let error = try #require(throws: CodingError.self) { try PropertyList(Array(text.utf8)) }
    #expect(
      "\(error)"
        == "not a property list: it is old-style text; convert it with plutil -convert xml1"
    )
  }

  @Test func `the binary format is told by its first bytes`() throws {
    #expect(try PropertyList(BinaryPropertyListTests.bytes) == BinaryPropertyListTests.value)
    #expect(PropertyList.isXML(Array("  <?xml".utf8)))
    #expect(PropertyList.isXML([0xEF, 0xBB, 0xBF] + Array("<plist>".utf8)))
    #expect(!PropertyList.isXML(Array("{ a = <00ff>; }".utf8)))
  }

  @Test(arguments: [
    ("<plist><dict><true/></dict></plist>", "has a value without a key, or a key twice in line 1"),
    ("<plist><dict><key>a</key></dict></plist>", "has a key without a value in line 1"),
    ("<plist><key>a</key></plist>", "has a key outside of a dictionary in line 1"),
    (
      "<plist>\n<integer>1x</integer></plist>", "has a <integer> that holds no such value in line 2"
    ),
    (
      "<plist>\n<integer>--1</integer></plist>",
      "has a <integer> that holds no such value in line 2"
    ),
    ("<plist><unknown/></plist>", "has a <unknown> that holds no such value in line 1"),
    ("<plist><true/><true/></plist>", "holds two values in line 1"),
  ])
  func `XML that contradicts the format is refused`(text: String, fault: String) throws {
    #expect(failure { try PropertyList(Array(text.utf8)) } == "the XML \(fault)")
  }

  @Test(arguments: ["", "\u{0}", "{", "<", "<plist>", "bplist", "((("])
  func `text that is not a property list is refused`(text: String) {
    #expect(throws: CodingError.self) { try PropertyList(Array(text.utf8)) }
  }

  @Test func `XML deeper than the limit is refused`() {
    let text = String(repeating: "<array>", count: 100_000)
    #expect(throws: CodingError.self) { try PropertyList(Array(text.utf8)) }
  }

  @Test func `entities that unfold to gigabytes are refused`() throws {
    let levels = (1...9).map { level in
      "<!ENTITY e\(level) \"" + String(repeating: "&e\(level - 1);", count: 10) + "\">"
    }
    let text =
      "<!DOCTYPE plist [<!ENTITY e0 \"lol\">" + levels.joined()
      + "]><plist><string>&e9;</string></plist>"
    let fault = failure { try PropertyList(Array(text.utf8)) }
    #expect(fault == "the XML has the unknown reference &e9; in line 1")
  }

  @Test(arguments: 0..<xml.utf8.count - 10)
  func `XML that is cut anywhere is refused`(length: Int) {
    #expect(throws: CodingError.self) { try PropertyList(Array(Self.xml.utf8.prefix(length))) }
  }

  @Test(arguments: 0..<xml.utf8.count)
  func `XML with a wrong byte gives an error or a value`(index: Int) {
    for byte in [0, 0x22, 0x26, 0x3C, 0x3E, 0x80, 0xFF] as [UInt8] {
      var bytes = Array(Self.xml.utf8)
      bytes[index] = byte
      let value = try? PropertyList(bytes)
      #expect(value?.dictionary?.count ?? 0 <= 7)
    }
  }
}
