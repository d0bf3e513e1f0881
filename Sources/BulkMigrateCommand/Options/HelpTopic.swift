internal import BulkMapping

/// A subject of help that is no command.
enum HelpTopic: String, CaseIterable {
  case exitCodes = "exit-codes"
  case expressions

  /// One line for the list of commands.
  var summary: String {
    switch self {
    case .exitCodes: "Show how the program ends, and with which code."
    case .expressions: "Show the functions of expressions, with examples."
    }
  }

  /// The help.
  var text: String {
    switch self {
    case .exitCodes: Self.exitCodesText
    case .expressions: Self.expressionsText
    }
  }

  private static var exitCodesText: String {
    var help = HelpText()
    help.addParagraph("Every command ends with one of these codes.")
    help.addList("Exit codes", ExitCode.allCases.map { ("\($0.rawValue)", $0.explanation) })
    return help.text
  }

  private static var expressionsText: String {
    var help = HelpText()
    help.addParagraph(
      "The expressions of mapping files are those of NSExpression. $source is the object of a row, and "
        + "$source.key its value; $entityMapping and $propertyMapping have the keys name and userInfo.key."
    )
    for section in MethodReference.functions { help.addValues(section) }
    help.addParagraph(
      "FUNCTION(receiver, \"selector:\", arguments …) calls a method of a class of Foundation. nil as the "
        + "receiver gives nil; nil as an argument fails the row, except in questions such as isEqual:. "
        + "Texts are counted in UTF-16 units, and a range {location, length} that is out of bounds, or "
        + "that cuts a character in two, fails the row. Collections live in an expression only: an "
        + "attribute takes one of their elements, or what is joined of them. {…} UNION {} is a set."
    )
    for section in MethodReference.sections { help.addValues(section) }
    help.addParagraph(
      "Sets of characters are those of NSCharacterSet, and invertedSet of them: "
        + MethodReference.characterSets.joined(separator: ", ") + "."
    )
    return help.text
  }
}

extension HelpText {
  /// Adds a section of expressions with their values.
  fileprivate mutating func addValues(_ section: MethodReference.Section) {
    addValues(section.title, section.examples.map { ($0.call, $0.value) })
  }
}
