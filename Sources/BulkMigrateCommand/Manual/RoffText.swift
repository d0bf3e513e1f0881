import BulkExecute

/// Text in the language of manual pages, man(7).
struct RoffText: HelpLayout {
  private var lines: [String] = []

  /// The whole page, with a line break at its end.
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// A page with its name, section and date, and what it is about.
  init(_ title: String, section: Int, _ summary: String) {
    lines.append(
      ".TH \"\(Self.escaped(title.uppercased()))\" \"\(section)\" \"\(ToolVersion.day)\" "
        + "\"bulkmigrate \(ToolVersion.text)\" \"bulkmigrate\""
    )
    // Names and options are never divided.
    lines += [".nh", ".ad l"]
    addSection("NAME")
    addParagraph("\(title) - \(summary.hasSuffix(".") ? String(summary.dropLast()) : summary)")
  }

  mutating func addSection(_ title: String) { lines.append(".SH \(title)") }

  mutating func addParagraph(_ text: String) {
    if lines.last?.hasPrefix(".SH") != true { lines.append(".PP") }
    lines.append(Self.line(text))
  }

  /// Adds a term, already in this language, with its explanation.
  mutating func addTerm(_ term: String, _ explanation: String) {
    lines += [".TP", term, Self.line(explanation)]
  }

  /// Adds a line that is in this language already.
  mutating func addSyntax(_ line: String) { lines.append(line) }

  mutating func addExamples(_ examples: Examples) {
    guard !examples.isEmpty else { return }
    addSection("EXAMPLES")
    for (words, purpose) in examples {
      addParagraph(purpose)
      lines += [".PP", ".in +4n", ".nf", Self.line(words), ".fi", ".in"]
    }
  }

  mutating func addList(_ title: String, _ items: [(name: String, explanation: String)]) {
    guard !items.isEmpty else { return }
    addSection(Self.escaped(title.uppercased()))
    for item in items { addTerm(Self.bold(item.name), item.explanation) }
  }

  mutating func addValues(_ title: String, _ examples: [(expression: String, value: String)]) {
    addLines(title, examples.flatMap { [$0.expression, "    = \($0.value)"] })
  }

  mutating func addLines(_ title: String, _ lines: [String]) {
    addSection(Self.escaped(title.uppercased()))
    self.lines += [".nf"] + lines.map { Self.line($0) } + [".fi"]
  }

  /// A word to type as it stands.
  static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

  /// A word that stands for a value.
  static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

  /// Text on a line of its own, which never begins a request.
  private static func line(_ text: String) -> String {
    let escaped = escaped(text.replacing("\n", with: " "))
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  /// Text whose characters are escaped where they would be commands of the language.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "\"": result += "\\(dq"
      default:
        if scalar.isASCII {
          result.unicodeScalars.append(scalar)
        } else {
          let digits = String(scalar.value, radix: 16, uppercase: true)
          result += "\\[u\(String(repeating: "0", count: max(4 - digits.count, 0)))\(digits)]"
        }
      }
    }
    return result
  }
}
