internal import BulkMapping

/// A subject of help that is not a command.
enum HelpTopic: String, CaseIterable {
  case exitCodes = "exit-codes"
  case expressions
  case config

  /// One line for the list of commands.
  var summary: String {
    switch self {
    case .exitCodes: "Show how the program ends, and with which code."
    case .expressions: "Show the functions of expressions, with examples."
    case .config: "Show how a file and the environment set options."
    }
  }

  /// The section of the manual.
  var section: Int {
    switch self {
    case .exitCodes, .expressions: 7
    case .config: 5
    }
  }

  var text: String {
    var help = HelpText()
    explain(in: &help)
    return help.text
  }

  func explain(in page: inout some HelpLayout) {
    switch self {
    case .exitCodes: Self.explainExitCodes(in: &page)
    case .expressions: Self.explainExpressions(in: &page)
    case .config: Self.explainSettings(in: &page)
    }
  }

  private static func explainExitCodes(in page: inout some HelpLayout) {
    page.addParagraph("Every command ends with one of these codes.")
    page.addList("Exit codes", ExitCode.allCases.map { ("\($0.rawValue)", $0.explanation) })
  }

  private static func explainSettings(in page: inout some HelpLayout) {
    page.addParagraph(
      "Of what is said of an option, the command line counts first, then the environment, then a file, then "
        + "the default. --show-origin shows the settings of a command and where each comes from."
    )
    page.addParagraph(
      "The variable of --max-memory is BULKMIGRATE_MAX_MEMORY, and so on. 1 sets an option without a value, and 0 "
        + "does not; each line is a value of an option that may be repeated; an empty variable counts as none."
    )
    page.addParagraph(
      "The file is \(Configuration.usualPath) in the current folder, if it belongs to the user or the "
        + "superuser, or the one that --config names; --config none reads none. Its options hold for every command "
        + "that has them, those under the name of a command for that command. Paths are relative to the current "
        + "folder. What no command has is an error, and a file never names commands to execute."
    )
    page.addLines(
      "A file",
      [
        "{",
        "  \"bulkmigrate\": \"config/1\",",
        "  \"options\": { \"max-memory\": \"256M\", \"no-progress\": true },",
        "  \"commands\": {",
        "    \"plan\": { \"models\": [\"Notes.xcdatamodeld\"], \"max-loss\": \"none\" },",
        "    \"run\": { \"on-error\": \"quarantine\", \"threads\": 1 }",
        "  }",
        "}",
      ]
    )
    page.addExamples([
      "bulkmigrate run --show-origin": "See every setting of run, and where it comes from.",
      "bulkmigrate help --schema config > config.schema.json":
        "Get the JSON Schema of the file, for an editor.",
    ])
  }

  private static func explainExpressions(in page: inout some HelpLayout) {
    page.addParagraph(
      "The expressions of mapping files are those of NSExpression. $source is the object of a row, and "
        + "$source.key its value; $entityMapping and $propertyMapping have the keys name and userInfo.key."
    )
    for section in MethodReference.functions { add(section, to: &page) }
    page.addParagraph(
      "FUNCTION(receiver, \"selector:\", arguments …) calls a method of a class of Foundation. nil as the "
        + "receiver gives nil; nil as an argument fails the row, except in questions such as isEqual:. "
        + "Texts are counted in UTF-16 units, and a range {location, length} that is out of bounds, or "
        + "that cuts a character in two, fails the row. Collections live in an expression only: an "
        + "attribute takes one of their elements, or what is joined of them. {…} UNION {} is a set."
    )
    for section in MethodReference.sections { add(section, to: &page) }
    page.addParagraph(
      "Sets of characters are those of NSCharacterSet, and invertedSet of them: "
        + MethodReference.characterSets.joined(separator: ", ") + "."
    )
  }

  private static func add(_ section: MethodReference.Section, to page: inout some HelpLayout) {
    page.addValues(section.title, section.examples.map { ($0.call, $0.value) })
  }
}
