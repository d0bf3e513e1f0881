/// A place in a text, as people count.
package struct TextPosition: Hashable, Sendable {
  /// The line, from 1.
  package let line: Int
  /// The column in the line, from 1, in Unicode scalars.
  package let column: Int

  /// A place.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension TextPosition: CustomStringConvertible {
  /// The line and the column.
  package var description: String { "\(line):\(column)" }
}
