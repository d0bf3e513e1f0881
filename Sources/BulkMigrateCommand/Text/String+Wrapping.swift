extension String {
  /// The text broken at spaces into lines of at most so many columns.
  ///
  /// A word that is longer than a line has a line to itself. Line breaks of the text are kept.
  func wrapped(to columns: Int) -> [String] {
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

  /// The text followed by spaces up to a number of columns.
  func padded(to columns: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, columns - displayWidth))
  }

  /// The text preceded by spaces up to a number of columns.
  func leftPadded(to columns: Int) -> String {
    String(repeating: " ", count: Swift.max(0, columns - displayWidth)) + self
  }
}
