import BulkCoding

struct HelpText {
  private static let width = 80
  private static let explanationColumn = 30

  private var lines: [String] = []

  var text: String { lines.joined(separator: "\n") }

  mutating func addParagraph(_ text: String) {
    addGap()
    lines += text.wrapped(to: Self.width)
  }

  mutating func addExamples(_ examples: [Manual.Example]) {
    guard !examples.isEmpty else { return }
    addGap()
    lines.append("Examples:")
    for (words, purpose) in examples {
      lines += Self.commandLines(words).map { "  " + $0 }
      lines += purpose.wrapped(to: Self.width - 6).map { "      " + $0 }
    }
  }

  mutating func addList(_ title: String, _ items: [(name: String, explanation: String)]) {
    guard !items.isEmpty else { return }
    addGap()
    lines.append("\(title):")
    let widest = items.map { $0.name.displayWidth + 4 }.max() ?? 0
    let column = min(widest, Self.explanationColumn)
    for item in items {
      var explanation = item.explanation.wrapped(to: Self.width - column)[...]
      let name = "  " + item.name
      if name.displayWidth + 2 <= column, let first = explanation.popFirst() {
        lines.append(name.padded(to: column) + first)
      } else {
        lines.append(name)
      }
      lines += explanation.map { String(repeating: " ", count: column) + $0 }
    }
  }

  mutating func addValues(_ title: String, _ examples: [(expression: String, value: String)]) {
    addGap()
    lines.append("\(title):")
    for example in examples {
      let line = "  \(example.expression) = \(example.value)"
      if line.displayWidth <= Self.width {
        lines.append(line)
      } else {
        lines += ["  \(example.expression)", "      = \(example.value)"]
      }
    }
  }

  private mutating func addGap() {
    if !lines.isEmpty { lines.append("") }
  }

  /// Breaks a command before an option so that it can be copied from the terminal and run.
  private static func commandLines(_ words: String) -> [String] {
    let room = width - 4
    var lines: [String] = []
    var line = ""
    for part in words.replacing(" --", with: "\n--").split(separator: "\n").map(String.init) {
      if line.isEmpty {
        line = part
      } else if line.displayWidth + 1 + part.displayWidth <= room {
        line += " " + part
      } else {
        lines.append(line + " \\")
        line = "    " + part
      }
    }
    return lines + [line]
  }
}

extension String {
  var firstSentence: String {
    firstRange(of: ". ").map { self[..<$0.lowerBound] + "." } ?? self
  }
}
