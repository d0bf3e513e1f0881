internal import BulkSupport

/// A piece of HTML or SVG.
///
/// All text and all values of attributes are escaped here and nowhere else, so no name in a model can become
/// markup.
indirect enum Markup {
  case text(String)
  case element(String, [(name: String, value: String)], [Markup])
  /// A style sheet of ours, which is written as it is.
  case style(String)

  static func tag(
    _ name: String,
    _ attributes: KeyValuePairs<String, String> = [:],
    _ contents: [Markup] = []
  ) -> Markup {
    .element(name, attributes.map { (name: $0.key, value: $0.value) }, contents)
  }

  static func tag(_ name: String, class style: String? = nil, _ contents: Markup...) -> Markup {
    .element(name, style.map { [(name: "class", value: $0)] } ?? [], contents)
  }

  static func tag(_ name: String, class style: String? = nil, _ text: String) -> Markup {
    tag(name, class: style, .text(text))
  }
}

extension Markup {
  /// The elements of HTML without an end.
  private static let voidElements: Set = ["meta", "br", "col"]

  func write(to output: inout String) {
    switch self {
    case .text(let text):
      output += Self.escaped(text)
    case .style(let sheet):
      output += "<style>\n\(sheet)</style>\n"
    case .element(let name, let attributes, let contents):
      output += "<\(name)"
      for attribute in attributes {
        output += " \(attribute.name)=\"\(Self.escaped(attribute.value))\""
      }
      output += ">"
      guard !Self.voidElements.contains(name) else { return }
      for content in contents { content.write(to: &output) }
      output += "</\(name)>"
      if Self.endsLine(name) { output += "\n" }
    }
  }

  /// Whether a line ends behind an element, where a browser does not mind.
  private static func endsLine(_ name: String) -> Bool {
    ["section", "table", "tr", "svg", "g", "path", "p", "h1", "h2", "h3", "head", "title"]
      .contains(name)
  }

  /// A text in which nothing is markup.
  ///
  /// Characters that XML does not allow, and those that change the direction of what follows, become U+FFFD:
  /// they could make a name look like another one.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(isAllowed(scalar) ? scalar : "\u{FFFD}")
      }
    }
    return result
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFFFE...0xFFFF:
      false
    default: true
    }
  }
}

struct PageTable {
  struct Column<Value> {
    let title: String
    let style: String
    let cell: (Value) -> String

    static func words(_ title: String, _ cell: @escaping (Value) -> String) -> Self {
      Self(title: title, style: "w", cell: cell)
    }

    static func numbers(_ title: String, _ cell: @escaping (Value) -> String) -> Self {
      Self(title: title, style: "n", cell: cell)
    }
  }

  /// The content of the table, as text for those who cannot see it.
  let caption: String
  private let columns: [(title: String, style: String)]
  private(set) var rows: [[String]]

  init<Value>(_ caption: String, _ values: some Sequence<Value>, _ columns: Column<Value>...) {
    self.caption = caption
    self.columns = columns.map { ($0.title, $0.style) }
    rows = values.map { value in columns.map { $0.cell(value) } }
  }

  /// The table with at most that many rows; a last one says how many are missing.
  func cut(to limit: Int) -> PageTable {
    guard rows.count > limit else { return self }
    var table = self
    let note = "and \(Int64(rows.count - limit).grouped) more"
    table.rows = rows.prefix(limit) + [[note] + columns.dropFirst().map { _ in "" }]
    return table
  }

  /// The table as markup.
  ///
  /// The first cell of a row is its heading; cells have the title of their column, which shows where the page
  /// is narrow.
  var markup: Markup {
    let head = columns.map { column in
      Markup.tag("th", ["scope": "col", "class": column.style], [.text(column.title)])
    }
    let body = rows.map { cells in
      Markup.tag("tr", [:], cells.enumerated().map { cell($1, at: $0) })
    }
    return .tag(
      "div",
      ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": caption],
      [
        .tag(
          "table",
          .tag("caption", caption),
          .tag("thead", .tag("tr", [:], head)),
          .tag("tbody", [:], body)
        )
      ]
    )
  }

  private func cell(_ text: String, at index: Int) -> Markup {
    let column = columns[index]
    return index == 0
      ? .tag("th", ["scope": "row", "class": column.style], [.text(text)])
      : .tag(
        "td",
        ["class": column.style, "data-of": column.title],
        text.isEmpty ? [] : [.text(text)]
      )
  }
}
