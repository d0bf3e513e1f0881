import BulkSupport
import Testing

@testable import BulkMigrateCommand

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

struct NumberTextTests {
  @Test(
    arguments: [
      (0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-1_000, "-1,000"),
      (-999, "-999"), (.min, "-9,223,372,036,854,775,808"),
    ] as [(Int64, String)]
  )
  func `digits are grouped by three`(number: Int64, text: String) {
    #expect(number.grouped == text)
  }

  @Test(
    arguments: [
      (.zero, "0.0s"),
      (.milliseconds(449), "0.4s"),
      (.milliseconds(9_949), "9.9s"),
      (.milliseconds(9_950), "10s"),
      (.milliseconds(59_499), "59s"),
      (.milliseconds(59_500), "1m 00s"),
      (.seconds(63), "1m 03s"),
      (.seconds(3_599), "59m 59s"),
      (.seconds(7_500), "2h 05m"),
      (.seconds(360_000), "100h 00m"),
    ] as [(Duration, String)]
  )
  func `a time has its two largest units`(duration: Duration, text: String) {
    #expect(duration.short == text)
  }

  @Test func `only all is a hundred percent`() {
    #expect(NumberText.percent(999, of: 1_000) == "99%")
    #expect(NumberText.percent(1_000, of: 1_000) == "100%")
    #expect(NumberText.percent(0, of: 0) == "100%")
  }
}
