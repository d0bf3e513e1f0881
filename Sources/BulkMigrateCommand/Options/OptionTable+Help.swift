extension OptionTable {
  /// The command's help: usage, what it does, examples, then every operand and option.
  var help: String {
    var help = HelpText()
    help.addParagraph("usage: \(usage)")
    help.addParagraph(explanation)
    help.addExamples(examples)
    help.addList("Operands", operands.map { ($0.name, $0.help) })
    let rows = options.map { ($0.forms, $0.helpWithVariable) }
    help.addList("Options", rows + [("-h, --help", "Show this help.")])
    return help.text
  }

  private var usage: String {
    let names = operands.map { $0.isOptional ? "[\($0.name)]" : $0.name }
    return (["bulkmigrate", command, "[options]"] + names).joined(separator: " ")
  }
}

extension OptionRow {
  /// How the option is typed, as `-m, --max-memory SIZE`.
  fileprivate var forms: String {
    let names = (short.map { "-\($0), " } ?? "    ") + longForm
    return names + (placeholder.map { " \($0)" } ?? "") + (isRepeatable ? " …" : "")
  }

  fileprivate var helpWithVariable: String {
    environmentName.map { "\(help) [\($0)]" } ?? help
  }
}
