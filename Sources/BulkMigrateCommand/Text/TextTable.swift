/// A table in plain text: a header, and rows below it in aligned columns.
///
/// ```text
/// ENTITY      ROWS  BYTES
/// Note     100,000  24 MiB
/// ```
struct TextTable {
  /// A column's title and the alignment of its cells.
  struct Column {
    enum Side { case left, right }

    let title: String
    let side: Side

    /// A column of words.
    static func left(_ title: String) -> Column { Column(title: title, side: .left) }

    /// A column of numbers.
    static func right(_ title: String) -> Column { Column(title: title, side: .right) }
  }

  let columns: [Column]
  private(set) var rows: [[String]] = []

  init(_ columns: Column...) {
    self.columns = columns
  }

  /// Adds a row; missing cells at its end are empty.
  mutating func append(_ cells: String...) {
    precondition(cells.count <= columns.count, "a row has more cells than the table has columns")
    rows.append(cells + Array(repeating: "", count: columns.count - cells.count))
  }

  /// The table's lines, each indented by a number of spaces, without trailing ones.
  ///
  /// Without column titles there is no header.
  func lines(indent: Int = 0) -> [String] {
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
