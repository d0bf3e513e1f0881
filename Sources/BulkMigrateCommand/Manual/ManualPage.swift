/// A manual page, made of the tables of options.
enum ManualPage {
  /// The name of the page of a command, as `bulkmigrate-fleet-run`.
  private static func name(_ command: String) -> String {
    "bulkmigrate-\(command.replacing(" ", with: "-"))"
  }

  static func of(
    _ topic: String,
    section: Int,
    _ summary: String,
    _ explain: (inout RoffText) -> Void
  ) -> String {
    var page = RoffText(name(topic), section: section, summary)
    page.addSection("DESCRIPTION")
    explain(&page)
    page.addSection("SEE ALSO")
    page.addParagraph("bulkmigrate(1)")
    return page.text
  }

  static func of(_ command: CommandDescription) -> String {
    var page = RoffText(name(command.name), section: 1, command.summary)
    page.addSection("SYNOPSIS")
    page.addSyntax(synopsis(of: command))
    page.addSection("DESCRIPTION")
    page.addParagraph(command.explanation)
    if !command.operands.isEmpty {
      page.addSection("OPERANDS")
      for operand in command.operands {
        page.addTerm(RoffText.italic(operand.name), operand.help)
      }
    }
    if !command.options.isEmpty { page.addSection("OPTIONS") }
    for option in command.options { page.addTerm(term(of: option), help(of: option)) }
    if let sentence = command.results.sentence {
      page.addSection("OUTPUT")
      page.addParagraph(sentence)
    }
    page.addSection("EXIT STATUS")
    page.addParagraph("See bulkmigrate(1).")
    page.addExamples(command.examples)
    page.addSection("SEE ALSO")
    page.addParagraph("bulkmigrate(1), bulkmigrate-config(5), bulkmigrate-mapping(5)")
    return page.text
  }

  /// The page of the program.
  static func of(
    _ commands: [CommandDescription],
    introduction: String,
    _ examples: Examples
  ) -> String {
    var page = RoffText("bulkmigrate", section: 1, "migrate Core Data stores")
    page.addSection("SYNOPSIS")
    page.addSyntax(
      "\(RoffText.bold("bulkmigrate")) \(RoffText.italic("COMMAND")) [\(RoffText.italic("options"))]"
    )
    page.addSection("DESCRIPTION")
    page.addParagraph(introduction)
    page.addSection("COMMANDS")
    for command in commands {
      page.addTerm("\(RoffText.bold(name(command.name)))(1)", command.summary)
    }
    page.addSection("ENVIRONMENT")
    page.addTerm(
      RoffText.bold("BULKMIGRATE_MAX_MEMORY") + ", and so on",
      "Set --max-memory and any other option where the command line does not; see bulkmigrate-config(5)."
    )
    page.addTerm(RoffText.bold("NO_COLOR"), "Any value but the empty one stands for --no-color.")
    page.addSection("EXIT STATUS")
    for code in ExitCode.allCases {
      page.addTerm(RoffText.bold("\(code.rawValue)"), code.explanation)
    }
    page.addExamples(examples)
    page.addSection("SEE ALSO")
    let topics = HelpTopic.allCases.map { "\(name($0.rawValue))(\($0.section))" }
    let pages =
      commands.map { "\(name($0.name))(1)" }.sorted() + topics + ["bulkmigrate-mapping(5)"]
    page.addParagraph(pages.joined(separator: ", "))
    return page.text
  }

  private static func synopsis(of command: CommandDescription) -> String {
    let operands = command.operands.map { operand in
      let name = RoffText.italic(operand.name)
      return operand.isOptional ? "[\(name)]" : name
    }
    let words = [
      RoffText.bold("bulkmigrate"), RoffText.bold(command.name), "[\(RoffText.italic("options"))]",
    ]
    return (words + operands).joined(separator: " ")
  }

  private static func term(of option: CommandDescription.Option) -> String {
    let forms = option.forms.map { RoffText.bold($0) }.joined(separator: ", ")
    return forms + (option.placeholder.map { " \(RoffText.italic($0))" } ?? "")
  }

  private static func help(of option: CommandDescription.Option) -> String {
    option.explanation + (option.isRepeatable ? " It may be given repeatedly." : "")
  }
}
