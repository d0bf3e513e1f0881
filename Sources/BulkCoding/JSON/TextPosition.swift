/// A line and column in a text.
package struct TextPosition: Hashable, Sendable {
  /// The line, from 1.
  package let line: Int
  /// The column, from 1, in Unicode scalars.
  package let column: Int

  /// A position.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension TextPosition: CustomStringConvertible {
  /// The line and the column.
  package var description: String { "\(line):\(column)" }
}
