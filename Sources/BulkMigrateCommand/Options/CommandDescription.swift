/// A command as values: its syntax and its meaning, from which help, manual pages and completions are made.
struct CommandDescription: Sendable {
  struct Option: Sendable {
    let name: String
    var takesValue = false
    var isRepeatable = false
    var words: [String] = []
    var usual: String?
    var isOnlyTyped = false
    var home: String?
    var text = Manual.Entry()

    static func help(in manual: Manual) -> Option {
      let text = manual.entry("help", of: Manual.name) ?? Manual.Entry()
      return Option(name: "help", isOnlyTyped: true, home: Manual.name, text: text)
    }

    var short: Character? { text.short }
    var placeholder: String? { takesValue ? text.placeholder ?? "VALUE" : nil }
    var explanation: String { usual.map { "\(text.help) Default: \($0)." } ?? text.help }
    var longForm: String { "--\(name)" }
    var forms: [String] { (short.map { ["-\($0)"] } ?? []) + [longForm] }
    /// Whether it is set or not, and neither has a value nor is counted.
    var isFlag: Bool { !takesValue && !isRepeatable }

    var syntax: String {
      (short == nil ? "    " : "") + forms.joined(separator: ", ")
        + (placeholder.map { " \($0)" } ?? "") + (isRepeatable ? " …" : "")
    }

    /// The variable of the environment that sets it, `BULKMIGRATE_<NAME>`.
    ///
    /// `1` sets a flag, and `0` does not; each line is a value of an option that may be repeated. An empty variable
    /// counts as none.
    var environmentName: String {
      "BULKMIGRATE_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }
  }

  struct Operand: Encodable, Sendable {
    let name: String
    var isOptional = false
    var takesRest = false
    var words: [String] = []
    var help = ""

    private enum CodingKeys: CodingKey { case name, help, isOptional }
  }

  /// The name, that of a group before it.
  let name: String
  let text: Manual.Section
  var operands: [Operand] = []
  var options: [Option] = []
  var results: [ResultFormat] = []
  var members: [CommandDescription] = []

  var usage: String {
    let names = operands.map {
      ($0.isOptional ? "[\($0.name)]" : $0.name) + ($0.takesRest ? " …" : "")
    }
    return (["bulkmigrate", name, "[options]"] + names).joined(separator: " ")
  }

  /// The name without that of the group.
  var word: String { name.split(separator: " ").last.map(String.init) ?? name }
  var isShown: Bool { !text.summary.isEmpty }
  var ownOptions: [Option] { options.filter { $0.home == nil } }

  var sharedOptions: [(command: String, options: [String])] {
    var result: [(command: String, options: [String])] = []
    for option in options {
      guard let home = option.home, home != Manual.name else { continue }
      if result.last?.command != home { result.append((home, [])) }
      result[result.count - 1].options.append(option.longForm)
    }
    return result
  }
}

extension CommandDescription {
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
    page.addList("Operands", operands.map { ($0.name, $0.help) })
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
