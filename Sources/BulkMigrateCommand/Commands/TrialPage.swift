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
  }

  enum Block {
    case heading(String)
    case object(String)
    case sentence(String)
    /// The sentence after all objects.
    case end(String)
    /// A sentence after everything.
    case closing(String)
    case table([String], [Row])
  }

  var blocks: [Block] = []

  /// Adds sentences below the last heading.
  mutating func say(_ sentences: [String]) { blocks += sentences.map { .sentence($0) } }

  /// The lines, as they are printed in one of the two forms.
  func lines(isMarkdown: Bool) -> [String] {
    let all = blocks.flatMap { isMarkdown ? markdown($0) : plain($0) }
    return Array(all.drop { $0.isEmpty })
  }

  private func plain(_ block: Block) -> [String] {
    switch block {
    case .heading(let text), .closing(let text): ["", text]
    case .object(let text): ["", "  \(text)"]
    case .sentence(let text): ["  \(text)"]
    case .end(let text): ["", "  \(text)"]
    case .table(let titles, let rows):
      Self.table(titles, rows)
    }
  }

  private static func table(_ titles: [String], _ rows: [Row]) -> [String] {
    var table = TextTable(titles.map { .left($0) })
    for row in rows { table.append(row.cells) }
    let lines = table.lines(indent: 4)
    let remarks = [[]] + rows.map(\.remarks)
    return zip(lines, remarks).flatMap { line, remarks in
      [line] + remarks.map { "      \($0.truncated(to: remarkWidth))" }
    }
  }

  private func markdown(_ block: Block) -> [String] {
    switch block {
    case .heading(let text): ["", "## \(Self.escaped(text))"]
    case .object(let text): ["", "### \(Self.escaped(text))"]
    case .sentence(let text), .end(let text), .closing(let text): ["", Self.escaped(text)]
    case .table(let titles, let rows):
      ["", Self.row(titles.map { $0.lowercased() }), Self.row(titles.map { _ in "---" })]
        + rows.map(Self.markdown)
    }
  }

  /// A row with its remarks in the cell before the last one.
  private static func markdown(_ row: Row) -> String {
    var cells = row.cells
    let place = cells.count - 2
    cells[place] = ([cells[place]] + row.remarks).filter { !$0.isEmpty }.joined(separator: "; ")
    return Self.row(cells.map(escaped))
  }

  private static func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }

  /// The text, in which no character means anything in Markdown (CommonMark, with the tables of GitHub).
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      if "\\`*_{}[]<>#|&~$!".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }
}
