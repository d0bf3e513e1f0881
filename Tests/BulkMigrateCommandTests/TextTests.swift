import BulkCoding
import Testing

@testable import BulkMigrateCommand

@Suite("Text on a terminal")
struct TextTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("日本", 4), ("naïve", 5), ("nai\u{308}ve", 5), ("한국어", 6), ("🙂", 2),
    ("a\u{200B}b", 2), ("…", 1), ("❤️", 2), ("👨‍👩‍👧", 2),
  ])
  func `a text's width is that of its columns`(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test(arguments: [
    ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("ab", 1, "…"),
    ("ab", 0, ""),
  ])
  func `a text is cut with a sign that it was`(text: String, columns: Int, cut: String) {
    #expect(text.truncated(to: columns) == cut)
  }

  @Test func `text is broken at spaces, and at its own line breaks`() {
    #expect("one two three\nfour".wrapped(to: 7) == ["one two", "three", "four"])
    #expect("incomprehensible word".wrapped(to: 7) == ["incomprehensible", "word"])
    #expect("".wrapped(to: 7) == [""])
  }

  @Test func `a table's columns are as wide as their widest cell`() {
    var table = TextTable(.left("ENTITY"), .right("ROWS"), .left("NOTE"))
    table.append("Note", "100,000", "copied")
    table.append("添付ファイル", "7")
    #expect(
      table.lines(indent: 2) == [
        "  ENTITY           ROWS  NOTE",
        "  Note          100,000  copied",
        "  添付ファイル        7",
      ]
    )
  }

  @Test func `a table without titles has no header`() {
    var table = TextTable(.left(""), .left(""))
    table.append("rows", "3")
    #expect(table.lines() == ["rows  3"])
  }
}
