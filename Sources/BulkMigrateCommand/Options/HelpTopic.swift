internal import BulkMapping
import BulkExecute

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

/// All that help knows, the output of `help --json`, of which tools/manual makes the manual.
struct HelpTables: Encodable {
  struct Code: Encodable {
    let code: Int?
    let explanation: String
  }

  let version = ToolVersion.text
  let day = ToolVersion.day
  let introduction: String
  let examples: [[String]]
  let commands: [CommandDescription]
  let common: [CommandDescription.Option]
  let topics = HelpTopic.allCases.map {
    ["name": $0.rawValue, "summary": $0.summary, "text": $0.text]
  }
  let exitCodes = Manual.program[HelpTopic.exitCodes.rawValue].entries.map {
    Code(code: Int($0.name), explanation: $0.help)
  }
}

extension CommandDescription: Encodable {
  private enum CodingKeys: CodingKey {
    case name, summary, usage, explanation, examples, operands, options, shared, results
  }

  private struct Shared: Encodable {
    let command: String
    let options: [String]
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(text.summary, forKey: .summary)
    try container.encode(usage, forKey: .usage)
    try container.encode(text.explanation, forKey: .explanation)
    try container.encode(text.examples.map { [$0.words, $0.purpose] }, forKey: .examples)
    try container.encode(operands, forKey: .operands)
    try container.encode(ownOptions, forKey: .options)
    try container.encode(sharedOptions.map(Shared.init), forKey: .shared)
    try container.encode(results.map(\.rawValue), forKey: .results)
  }
}

extension CommandDescription.Option: Encodable {
  private enum CodingKeys: CodingKey {
    case forms, placeholder, explanation, isRepeatable, group, variable
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(forms, forKey: .forms)
    try container.encodeIfPresent(placeholder, forKey: .placeholder)
    try container.encode(explanation, forKey: .explanation)
    try container.encode(isRepeatable, forKey: .isRepeatable)
    try container.encode(text.group, forKey: .group)
    try container.encodeIfPresent(isOnlyTyped ? nil : environmentName, forKey: .variable)
  }
}
