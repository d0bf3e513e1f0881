/// A table in plain text: a header, and rows below it in aligned columns.
///
/// ```text
/// ENTITY      ROWS  BYTES
/// Note     100,000  24 MiB
/// ```
package struct TextTable {
  package struct Column {
    package enum Side { case left, right }

    package let title: String
    package let side: Side

    package static func left(_ title: String) -> Column { Column(title: title, side: .left) }

    package static func right(_ title: String) -> Column { Column(title: title, side: .right) }
  }

  let columns: [Column]
  private(set) var rows: [[String]] = []

  /// Adds a row; missing cells at its end are empty.
  package mutating func append(_ cells: String...) { append(cells) }

  package mutating func append(_ cells: [String]) {
    precondition(cells.count <= columns.count, "a row has more cells than the table has columns")
    rows.append(cells + Array(repeating: "", count: columns.count - cells.count))
  }

  /// The table's lines, each indented by a number of spaces, without trailing ones.
  ///
  /// Without column titles the header is left out.
  package func lines(indent: Int = 0) -> [String] {
    let titles = columns.map(\.title)
    let all = titles.allSatisfy(\.isEmpty) ? rows : [titles] + rows
    let widths = columns.indices.map { index in all.map { $0[index].displayWidth }.max() ?? 0 }
    return all.map { cells in
      let padded = columns.indices.map { index in
        switch columns[index].side {
        case .left: cells[index].padded(to: widths[index])
        case .right: cells[index].leftPadded(to: widths[index])
        }
      }
      let line = String(repeating: " ", count: indent) + padded.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}

extension TextTable {
  package var markdown: [String] {
    let rule = columns.map { $0.side == .right ? "--:" : "---" }
    let texts = ([columns.map(\.title)] + rows).map { cells in
      cells.map { Self.escaped(String($0.trimmingPrefix { $0 == " " })) }
    }
    return (texts.prefix(1) + [rule] + texts.dropFirst()).map { cells in
      "| " + cells.joined(separator: " | ") + " |"
    }
  }

  /// A text in which no character means anything in Markdown (CommonMark, with the tables of GitHub).
  package static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if "\\`*_{}[]<>#|&~$!".contains(character) { result.append("\\") }
      result.append(character)
    }
  }

  package init(_ columns: Column...) { self.init(columns) }

  package init(_ columns: [Column]) { self.init(columns: columns) }

  package struct ValueColumn<Value> {
    let column: Column
    let cell: (Value) -> String

    package static func left(_ title: String, _ cell: @escaping (Value) -> String) -> Self {
      Self(column: .left(title), cell: cell)
    }

    package static func right(_ title: String, _ cell: @escaping (Value) -> String) -> Self {
      Self(column: .right(title), cell: cell)
    }
  }
}

extension Sequence {
  package func table(indent: Int = 0, _ columns: TextTable.ValueColumn<Element>...) -> [String] {
    table(indent: indent, columns)
  }

  package func table(indent: Int = 0, _ columns: [TextTable.ValueColumn<Element>]) -> [String] {
    let rows = map { value in columns.map { $0.cell(value) } }
    return TextTable(columns: columns.map(\.column), rows: rows).lines(indent: indent)
  }
}

extension String {
  /// The number of terminal columns that the text takes: 2 for wide characters and emoji, else 1.
  ///
  /// Terminals disagree about rare characters; this follows most of them for Chinese, Japanese and Korean
  /// text, emoji, and combining marks.
  package var displayWidth: Int {
    reduce(0) { $0 + $1.displayWidth }
  }

  /// The text truncated to a number of columns, with `…` at its end if it is cut.
  package func truncated(to columns: Int) -> String {
    guard displayWidth > columns else { return self }
    guard columns > 0 else { return "" }
    var width = 0
    let kept = prefix { character in
      width += character.displayWidth
      return width < columns
    }
    return kept + "…"
  }
}

extension Character {
  fileprivate var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.properties.generalCategory == .control || first.properties.generalCategory == .format {
      return 0
    }
    let isEmoji =
      first.properties.isEmojiPresentation || unicodeScalars.contains { $0.value == 0xFE0F }
    return isEmoji || Self.wideRanges.contains { $0.contains(first.value) } ? 2 : 1
  }

  /// The blocks of wide characters, after Unicode's `EastAsianWidth.txt`, classes W and F.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}

extension String {
  /// The text wrapped at spaces to lines of a number of columns.
  ///
  /// A word longer than a line has its own line. Line breaks of the text are kept.
  package func wrapped(to columns: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
      var lines: [String] = []
      var line = ""
      for word in paragraph.split(separator: " ").map(String.init) {
        if line.isEmpty {
          line = word
        } else if line.displayWidth + 1 + word.displayWidth <= columns {
          line += " " + word
        } else {
          lines.append(line)
          line = word
        }
      }
      return lines + [line]
    }
  }

  package func padded(to columns: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, columns - displayWidth))
  }

  func leftPadded(to columns: Int) -> String {
    String(repeating: " ", count: Swift.max(0, columns - displayWidth)) + self
  }
}

package enum NumberText {
  /// A fraction in percent, rounded down so that 100% means all.
  package static func percent(_ part: Int64, of whole: Int64) -> String {
    whole > 0 ? percent(Double(part) / Double(whole)) : "100%"
  }

  /// A share from 0 to 1 in percent, rounded down so that 100% means all.
  package static func percent(_ share: Double) -> String { "\(Int(share * 100))%" }
}
