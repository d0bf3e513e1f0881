import BulkCoding

/// Headings, sentences and tables, for a terminal or in Markdown.
struct TrialPage {
  /// The columns of a terminal that a value takes at most.
  static let valueWidth = 32
  /// The columns that an expression takes at most.
  static let expressionWidth = 48
  /// The columns that a remark takes at most; messages may hold values.
  private static let remarkWidth = 160

  /// A row of a table, and what is to be said below it.
  struct Row {
    let cells: [String]
    var remarks: [String] = []

    /// The cells with the remarks in the one before the last.
    fileprivate var whole: [String] {
      var cells = cells
      let place = cells.count - 2
      cells[place] = ([cells[place]] + remarks).filter { !$0.isEmpty }.joined(separator: "; ")
      return cells
    }
  }

  let isMarkdown: Bool
  private(set) var lines: [String] = []

  /// Adds a line, with what makes it a heading in Markdown.
  mutating func say(
    _ text: String,
    _ mark: String = "",
    indent: Int = 0,
    isApart: Bool = true
  ) {
    if isApart || isMarkdown, !lines.isEmpty { lines.append("") }
    let blanks = String(repeating: " ", count: indent)
    lines.append(isMarkdown ? mark + TextTable.escaped(text) : blanks + text)
  }

  mutating func show(_ titles: [String], _ rows: [Row]) {
    var table = TextTable(titles.map { .left($0) })
    for row in rows { table.append(isMarkdown ? row.whole : row.cells) }
    guard !isMarkdown else { return lines += [""] + table.markdown }
    for (line, remarks) in zip(table.lines(indent: 4), [[]] + rows.map(\.remarks)) {
      lines += [line] + remarks.map { "      \($0.truncated(to: Self.remarkWidth))" }
    }
  }
}
