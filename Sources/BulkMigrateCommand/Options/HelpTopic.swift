internal import BulkMapping

/// A subject of help that is not a command.
enum HelpTopic: String, CaseIterable {
  case exitCodes = "exit-codes"
  case expressions
  case environment

  /// One line for the list of commands.
  var summary: String {
    switch self {
    case .exitCodes: "Show how the program ends, and with which code."
    case .expressions: "Show the functions of expressions, with examples."
    case .environment: "Show how variables set options."
    }
  }

  var text: String {
    var help = HelpText()
    explain(in: &help)
    return help.text
  }

  func explain(in page: inout HelpText) {
    switch self {
    case .exitCodes: Self.explainExitCodes(in: &page)
    case .expressions: Self.explainExpressions(in: &page)
    case .environment: Self.explainVariables(in: &page)
    }
  }

  private static func explainExitCodes(in page: inout HelpText) {
    page.addParagraph("Every command ends with one of these codes.")
    page.addList("Exit codes", ExitCode.allCases.map { ("\($0.rawValue)", $0.explanation) })
  }

  private static func explainVariables(in page: inout HelpText) {
    page.addParagraph(
      "A variable sets an option that the command line does not set. -v shows each option that is set, and by what."
    )
    page.addParagraph(
      "The variable of --max-memory is BULKMIGRATE_MAX_MEMORY, and so on. 1 sets an option without a value, and 0 "
        + "does not; each line is a value of an option that may be repeated; an empty variable counts as none. A "
        + "variable that names an option of other commands is not read; one that names none is refused, and so is "
        + "BULKMIGRATE_POLICY, because the programs of policies are only typed."
    )
    page.addList(
      "Variables without an option",
      RareSettings.variables.map { ($0.name, $0.help) } + [
        (
          "SQLITE_TMPDIR",
          "The folder of temporary files; without it that of the migration, or TMPDIR."
        )
      ]
    )
    page.addExamples([
      "BULKMIGRATE_MAX_MEMORY=128M bulkmigrate run -v": "Run within 128 MiB, and see what set that."
    ])
  }

  private static func explainExpressions(in page: inout HelpText) {
    page.addParagraph(
      "The expressions of mapping files are those of NSExpression. $source is the object of a row, and "
        + "$source.key its value; $entityMapping and $propertyMapping have the keys name and userInfo.key."
    )
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
