import BulkCoding

/// Headings, sentences, items and tables, which are printed for a terminal or as GitHub's Markdown.
struct Document {
  /// A row of a table, and what is to be said below it.
  struct Row {
    let cells: [String]
    var remarks: [String] = []

    /// The cells with the remarks in the one before the last, as Markdown has no place below a row.
    fileprivate var whole: [String] {
      var cells = cells
      let index = cells.count - 2
      cells[index] = ([cells[index]] + remarks).filter { !$0.isEmpty }.joined(separator: "; ")
      return cells
    }
  }

  /// The columns that a remark takes at most; messages may hold values.
  private static let remarkWidth = 160

  let isMarkdown: Bool
  private(set) var lines: [String] = []

  init(isMarkdown: Bool) { self.isMarkdown = isMarkdown }

  /// Adds a title of a few words in bold, with a sentence behind it.
  mutating func addTitle(_ title: String, _ text: String) {
    lines.append(
      isMarkdown ? "**\(TextTable.escaped(title))**: \(text)" : "\(title): \(text)"
    )
  }

  /// Adds a heading: bold at level 0, otherwise that of Markdown.
  mutating func addHeading(_ text: String, level: Int, indent: Int = 0) {
    let marks = level == 0 ? "" : String(repeating: "#", count: level) + " "
    add(text, level == 0 ? ("**", "**") : (marks, ""), indent: indent)
  }

  /// Adds a sentence; without a line before it in a text if it belongs to what precedes it.
  mutating func addSentence(_ text: String, indent: Int = 0, isApart: Bool = true) {
    add(text, indent: indent, isApart: isApart)
  }

  private mutating func add(
    _ text: String,
    _ marks: (String, String) = ("", ""),
    indent: Int,
    isApart: Bool = true
  ) {
    if isApart || isMarkdown { addGap() }
    let blanks = String(repeating: " ", count: indent)
    lines.append(
      isMarkdown ? marks.0 + TextTable.escaped(text) + marks.1 : blanks + text
    )
  }

  /// Adds items of a list that have nothing below them; empty ones are left out.
  mutating func addItems(_ texts: [String]) {
    let items = texts.filter { !$0.isEmpty }
    guard !items.isEmpty else { return }
    addGap()
    lines += items.map { isMarkdown ? "- \(TextTable.escaped($0))" : "  \($0)" }
  }

  /// Adds an item with lines below it, whose blanks are their depth.
  mutating func addItem(_ title: String, _ parts: [String]) {
    addGap()
    lines.append(isMarkdown ? "- \(title)" : title)
    lines += parts.map { part in
      let depth = part.prefix { $0 == " " }
      return isMarkdown ? "\(depth)  - \(part.dropFirst(depth.count))" : "  \(part)"
    }
  }

  /// Adds a table; in a text it follows what is before it if it is indented.
  mutating func add(_ table: TextTable, indent: Int = 0) {
    if indent == 0 || isMarkdown { addGap() }
    lines += isMarkdown ? table.markdown : table.lines(indent: indent)
  }

  /// Adds a table whose rows may have remarks.
  mutating func addTable(_ titles: [String], _ rows: [Row], indent: Int = 4) {
    var table = TextTable(titles.map { .left($0) })
    for row in rows { table.append(isMarkdown ? row.whole : row.cells) }
    guard !isMarkdown else { return add(table) }
    let blanks = String(repeating: " ", count: indent + 2)
    for (line, remarks) in zip(table.lines(indent: indent), [[]] + rows.map(\.remarks)) {
      lines += [line] + remarks.map { blanks + $0.truncated(to: Self.remarkWidth) }
    }
  }

  private mutating func addGap() {
    if !lines.isEmpty { lines.append("") }
  }
}
