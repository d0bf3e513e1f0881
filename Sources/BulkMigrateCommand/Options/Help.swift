internal import BulkMapping
import BulkSupport
import BulkExecute

extension OptionTable {
  var usage: String {
    let names = operands.map {
      ($0.isOptional ? "[\($0.name)]" : $0.name) + ($0.isRepeatable ? " …" : "")
    }
    return (["bulkmigrate", name, "[options]"] + names).joined(separator: " ")
  }

  /// The name without that of the group.
  var word: String { name.split(separator: " ").last.map(String.init) ?? name }
  var isShown: Bool { !text.summary.isEmpty }
  var ownOptions: [OptionRow] { options.filter { $0.home == nil } }

  var sharedOptions: [(command: String, options: [String])] {
    var result: [(command: String, options: [String])] = []
    for option in options {
      guard let home = option.home, home != Manual.name else { continue }
      if result.last?.command != home { result.append((home, [])) }
      result[result.count - 1].options.append(option.longForm)
    }
    return result
  }

  var shortHelp: String {
    guard members.isEmpty else { return help }
    var page = HelpText()
    page.addParagraph("usage: \(usage)")
    page.addParagraph(text.summary)
    page.addExamples(Array(text.examples.prefix(1)))
    let shown = options.filter { $0.text.isOfEveryDay && $0.home != Manual.name }.prefix(8)
    page.addList("Options", shown.map { ($0.syntax, $0.text.help.firstSentence) })
    page.addParagraph("All options: bulkmigrate \(name) --help")
    return page.text
  }

  var help: String {
    var page = HelpText()
    page.addParagraph(
      "usage: \(members.isEmpty ? usage : "bulkmigrate \(name) COMMAND [options]")"
    )
    page.addParagraph(text.explanation)
    guard members.isEmpty else {
      let shown = members.filter(\.isShown).map { ($0.name, $0.text.summary) }
      page.addList("Commands, in the order of their use", shown)
      return page.text
    }
    page.addExamples(text.examples)
    page.addList("Operands", operands.map { ($0.name, $0.text.help) })
    for group in Manual.groups {
      let shown = ownOptions.filter { $0.text.group == group }
      page.addList(group, shown.map { ($0.syntax, $0.explanation) })
    }
    for (command, options) in sharedOptions {
      page.addParagraph(
        "Options of \(command), which bulkmigrate \(command) --help explains: "
          + options.joined(separator: ", ") + "."
      )
    }
    if let sentence = results.sentence { page.addParagraph(sentence) }
    page.addParagraph("Options of every command, and variables that set options: bulkmigrate help")
    return page.text
  }
}

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
    let limit = width - 4
    var lines: [String] = []
    var line = ""
    for part in words.replacing(" --", with: "\n--").split(separator: "\n").map(String.init) {
      if line.isEmpty {
        line = part
      } else if line.displayWidth + 1 + part.displayWidth <= limit {
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

enum HelpTopic: String, CaseIterable {
  case exitCodes = "exit-codes"
  case expressions
  case environment

  private var section: Manual.Section { Manual.program[rawValue] }
  var summary: String { section.summary }

  var text: String {
    var page = HelpText()
    page.addParagraph(section.explanation)
    if let title = section.entries.first?.group {
      page.addList(title, section.entries.map { ($0.name, $0.help) })
    }
    if self == .expressions { Self.explainFunctions(in: &page) }
    page.addExamples(section.examples)
    return page.text
  }

  private static func explainFunctions(in page: inout HelpText) {
    for section in FunctionReference.functions { add(section, to: &page) }
    page.addParagraph(
      "FUNCTION(receiver, \"selector:\", arguments …) calls a method of a class of Foundation. nil as the "
        + "receiver gives nil; nil as an argument fails the row, except in questions such as isEqual:. "
        + "Texts are counted in UTF-16 units, and a range {location, length} that is out of bounds, or "
        + "that cuts a character in two, fails the row. Collections live in an expression only: an "
        + "attribute takes one of their elements, or what is joined of them. {…} UNION {} is a set."
    )
    for section in FunctionReference.methods { add(section, to: &page) }
    page.addParagraph(
      "Sets of characters are those of NSCharacterSet, and invertedSet of them: "
        + FunctionReference.characterSets.joined(separator: ", ") + "."
    )
  }

  private static func add(_ section: FunctionReference.Section, to page: inout HelpText) {
    page.addValues(section.title, section.examples.map { ($0.call, $0.value) })
  }
}

extension OptionTable: Encodable {
  func encode(to encoder: any Encoder) throws {
    let members = Members([
      "name": name, "summary": text.summary, "usage": usage, "explanation": text.explanation,
      "examples": text.examples.map { [$0.words, $0.purpose] },
      "operands": operands.map {
        Members(["name": $0.name, "help": $0.text.help, "isOptional": $0.isOptional])
      },
      "options": ownOptions,
      "shared": sharedOptions.map { Members(["command": $0.command, "options": $0.options]) },
      "results": results.map(\.rawValue),
    ])
    try members.encode(to: encoder)
  }
}

extension OptionRow: Encodable {
  func encode(to encoder: any Encoder) throws {
    let members = Members([
      "forms": forms, "placeholder": placeholder, "explanation": explanation,
      "isRepeatable": isRepeatable, "group": text.group,
      "variable": isOnlyTyped ? nil : environmentName,
    ])
    try members.encode(to: encoder)
  }
}
