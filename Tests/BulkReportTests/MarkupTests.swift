import Testing

@testable import BulkMigrate

struct MarkupTests {
  @Test(
    arguments: [
      ("Note", "Note"),
      ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
      ("a & \"b\" & 'c'", "a &amp; &quot;b&quot; &amp; &#39;c&#39;"),
      ("</title>", "&lt;/title&gt;"),
      ("a\u{0}b\u{1B}c", "a\u{FFFD}b\u{FFFD}c"),
      ("exe.\u{202E}lmth", "exe.\u{FFFD}lmth"),
      ("a\nb\tc", "a\nb\tc"),
      ("日本語 👩‍👩‍👧", "日本語 👩‍👩‍👧"),
    ]
  )
  func `no text becomes markup`(text: String, escaped: String) {
    #expect(Markup.escaped(text) == escaped)
  }

  @Test func `attributes are escaped as texts are`() {
    var output = ""
    Markup.tag("span", ["title": "\" onclick=\"x"], [.text("<b>")]).write(to: &output)
    #expect(output == "<span title=\"&quot; onclick=&quot;x\">&lt;b&gt;</span>")
  }

  @Test(
    arguments: [
      (0.0, "0"), (-0.04, "0"), (1.26, "1.3"), (-1.26, "-1.3"), (1080, "1080"), (0.95, "1"),
    ] as [(Double, String)]
  )
  func `coordinates have one decimal at most`(number: Double, text: String) {
    #expect(number.svg == text)
  }
}
