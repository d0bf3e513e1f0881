import BulkSupport

/// Headings, facts, sentences, items and tables, which are printed for a terminal or as GitHub's Markdown.
struct Document {
  /// A name with a value; blanks before it are its depth, and a value without a name is a line of its own.
  typealias Fact = (name: String, value: String)

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
  private static let valueColumn = 13

  let isMarkdown: Bool
  private(set) var lines: [String] = []

  init(isMarkdown: Bool) { self.isMarkdown = isMarkdown }

  /// Adds a heading: bold at level 0, otherwise that of Markdown.
  mutating func addHeading(_ text: String, level: Int, indent: Int = 0) {
    let marks = level == 0 ? "**" : String(repeating: "#", count: level) + " "
    addSentence(text, indent: indent, marks: (marks, level == 0 ? marks : ""))
  }

  /// Adds a sentence; without a line before it in a text if it belongs to what precedes it.
  mutating func addSentence(
    _ text: String,
    indent: Int = 0,
    isApart: Bool = true,
    marks: (String, String) = ("", "")
  ) {
    if isApart || isMarkdown { addGap() }
    let blanks = String(repeating: " ", count: indent)
    lines.append(isMarkdown ? marks.0 + Self.escaped(text) + marks.1 : blanks + text)
  }

  /// Adds facts, whose values are below one another.
  mutating func addFacts(_ facts: [Fact]) {
    addGap()
    lines += facts.map { name, value in
      guard isMarkdown else {
        return name.isEmpty ? value : name.padded(to: Self.valueColumn) + value
      }
      let text = name.isEmpty ? value : "\(name): \(value)"
      let depth = text.prefix { $0 == " " }
      return "\(depth)- \(Self.escaped(String(text.dropFirst(depth.count))))"
    }
  }

  mutating func addList(_ title: String, _ items: [String]) {
    guard !items.isEmpty else { return }
    addSentence(title)
    if isMarkdown { addGap() }
    lines += items.map { isMarkdown ? "- \(Self.escaped($0))" : "  \($0)" }
  }

  /// Adds lines of a text as they are; nothing without any.
  mutating func addLines(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    addGap()
    self.lines += lines
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

  /// Adds a table; in a text it follows what is before it if it is indented, unless it is apart.
  mutating func add(_ table: TextTable, indent: Int = 0, isApart: Bool = false) {
    if indent == 0 || isApart || isMarkdown { addGap() }
    lines += isMarkdown ? table.markdown : table.lines(indent: indent)
  }

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

  /// A text in which nothing is markup; names of files are shortened first, because marks would hide their folder.
  private static func escaped(_ text: String) -> String { TextTable.escaped(text.withShortPaths) }
}

extension Sequence {
  func textTable(_ columns: (TextTable.Column, cell: (Element) -> String)...) -> TextTable {
    var table = TextTable(columns.map(\.0))
    for value in self { table.append(columns.map { $0.cell(value) }) }
    return table
  }
}

extension BinaryInteger {
  /// The number with a noun, as `1 row` and `1,234 rows`.
  func phrase(_ noun: String, _ plural: String? = nil) -> String {
    "\(Int64(self).grouped) \(self == 1 ? noun : plural ?? noun + "s")"
  }
}
