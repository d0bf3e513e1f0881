import BulkSupport
import Testing

struct XMLScannerTests {
  private static func events(_ text: String) throws -> [XMLScanner.Event] {
    var scanner = try XMLScanner(Array(text.utf8))
    var result: [XMLScanner.Event] = []
    while let event = try scanner.next() { result.append(event) }
    return result
  }

  @Test func `elements, attributes and text come in order`() throws {
    let text = """
      \u{FEFF}<?xml version="1.0"?>
      <!DOCTYPE a SYSTEM "x>y" [ <!ELEMENT a (b)> <!-- > ] --> ]>
      <!-- note --><a x='1 &lt; 2' y = "&#65;&#x1F600;"><b/>t&amp;u<![CDATA[<v>]]></a >
      """
    #expect(
      try Self.events(text) == [
        .start("a", attributes: ["x": "1 < 2", "y": "A😀"]), .start("b", attributes: [:]), .end("b"),
        .text("t&u"), .text("<v>"), .end("a"),
      ]
    )
  }

  @Test func `line ends become line feeds in text and spaces in attributes`() throws {
    #expect(
      try Self.events("<a x='1\r\n2\t3&#10;4'>\r\n5\r6</a>") == [
        .start("a", attributes: ["x": "1 2 3\n4"]), .text("\n5\n6"), .end("a"),
      ]
    )
  }

  @Test(arguments: [
    ("", "has no element in line 1"),
    ("<a>", "ends inside <a> in line 1"),
    ("<a>\n</b>", "ends <b>, which is not open, in line 2"),
    ("<a/><b/>", "has two root elements in line 1"),
    ("<a/>x", "has text outside of its root element in line 1"),
    ("<a x=1/>", "does not quote the attribute x of <a> in line 1"),
    ("<a x/>", "has a broken attribute x of <a> in line 1"),
    ("<a x='1'y='2'/>", "has a broken attribute y of <a> in line 1"),
    ("<a x='1' x='2'/>", "has the attribute x of <a> twice in line 1"),
    ("<a x='<'/>", "has < in the attribute x of <a> in line 1"),
    ("<a>&b;</a>", "has the unknown reference &b; in line 1"),
    ("<a>&#xD800;</a>", "has the unknown reference &#xD800; in line 1"),
    ("<a>&#-5;</a>", "has the unknown reference &#-5; in line 1"),
    ("<a>&amp</a>", "has a reference that does not end in line 1"),
    ("<a><!-- </a>", "ends before --> in line 1"),
    ("<!DOCTYPE a [", "ends inside its document type in line 1"),
    ("<!ELEMENT a>", "has an unknown declaration in line 1"),
    ("< a/>", "lacks a name in line 1"),
  ])
  func `a document that breaks a rule is refused`(text: String, fault: String) throws {
    let error = try #require(throws: CodingError.self) { try Self.events(text) }
    #expect("\(error)" == "the XML \(fault)")
  }

  @Test func `bytes that are not UTF-8 are refused`() {
    #expect(throws: CodingError.xml(line: 1, reason: "is not UTF-8")) { try XMLScanner([0xFF]) }
  }
}
