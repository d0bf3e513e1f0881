/// A table of a page.
struct PageTable {
  /// A column: its title, and whether it holds numbers.
  struct Column {
    var title: String
    var isNumeric: Bool

    /// A column of words.
    static func words(_ title: String) -> Column { Column(title: title, isNumeric: false) }

    /// A column of numbers.
    static func numbers(_ title: String) -> Column { Column(title: title, isNumeric: true) }
  }

  /// What the table shows, as text for those who cannot see it.
  var caption: String
  var columns: [Column]
  /// The cells, row by row.
  var rows: [[String]] = []

  /// The table as markup.
  ///
  /// The first cell of a row is its heading; cells have the title of their column, which shows where the page
  /// is narrow.
  var markup: Markup {
    let head = columns.map { column in
      Markup.tag("th", ["scope": "col", "class": column.isNumeric ? "n" : "w"], column.title)
    }
    let body = rows.map { cells in
      Markup.tag(
        "tr",
        [:],
        zip(columns, cells).enumerated().map { cell($0.element, at: $0.offset) }
      )
    }
    return .tag(
      "div",
      ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": caption],
      [
        .tag(
          "table",
          [:],
          [
            .tag("caption", [:], caption), .tag("thead", [:], [.tag("tr", [:], head)]),
            .tag("tbody", [:], body),
          ]
        )
      ]
    )
  }

  private func cell(_ pair: (Column, String), at index: Int) -> Markup {
    let (column, text) = pair
    let kind = column.isNumeric ? "n" : "w"
    return index == 0
      ? .tag("th", ["scope": "row", "class": kind], text) : .tag("td", ["class": kind], text)
  }
}
