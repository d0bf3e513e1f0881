import BulkSupport

/// The options and operands of a command that the ``Manual`` names, from which its parser and its help are made.
///
/// Every table also understands `--help` and those of ``OptionRow/common(_:)``; `--json` where there are results.
struct OptionTable: Sendable {
  enum Request {
    /// The command with its arguments, and a line for each option that is set.
    case run(Arguments, [String])
    case help(isShort: Bool)
  }

  /// The name, that of a group before it.
  let name: String
  let options: [OptionRow]
  let operands: [OptionRow]
  let results: [ResultFormat]
  /// The commands of a group.
  let members: [OptionTable]
  private let defaults: Arguments
  private let manual: Manual

  /// Without documents that the command prints with `--json` it takes no `--json`.
  init(
    _ name: String,
    of manual: Manual = .program,
    results: [ResultFormat] = [],
    defaults: Arguments = Arguments()
  ) {
    let known = OptionRow.all
    let named = manual[name].options.compactMap { option in
      let row = known["\(name) \(option.name)"] ?? known[option.name]
      return option.home.flatMap { row?.of($0) } ?? row
    }
    options =
      (named + OptionRow.common(results)).map { $0.explained(by: manual, in: name, defaults) }
      + [.help(in: manual)]
    operands = manual[name].operands.compactMap { word in
      let isOptional = word.hasPrefix("[")
      let row = OptionRow.operands[isOptional ? String(word.dropFirst().dropLast()) : word]
      return row?.explained(by: manual, in: name, defaults).optional(isOptional)
    }
    (self.name, self.defaults, self.manual, self.results) = (name, defaults, manual, results)
    members = []
  }

  /// A group of commands.
  init(group name: String, _ members: [OptionTable], of manual: Manual = .program) {
    let help = members.map { "\($0.word): \($0.text.summary)" }.joined(separator: " ")
    operands = [OptionRow(name: "COMMAND", words: members.map(\.word), text: .init(help: help))]
    (self.name, self.members, self.manual, defaults) = (name, members, manual, Arguments())
    (options, results) = ([], [])
  }

  var text: Manual.Section { manual[name] }
}

extension OptionTable {
  private struct Given {
    let row: OptionRow
    let value: String?
    /// The long form of an option, the name of an operand, or a variable.
    let name: String
  }

  /// Parses a command line.
  ///
  /// Setters run after the whole line is parsed: those of the environment first, then those of the line from left to
  /// right. The line overrides the environment.
  ///
  /// - Returns: The arguments; or a request for help, which overrides everything else.
  /// - Throws: The first mistake of the line or the environment, as ``UsageError``.
  func parse(
    _ words: [String],
    environment: [String: String] = [:]
  ) throws(UsageError) -> Request {
    var rest = CommandLineWords(words)
    var typed: [Given] = []
    var operandWords: [String] = []
    while let word = rest.next() {
      switch word {
      case .operand(let text):
        operandWords.append(text)
      case .option(let name, let attached):
        if name == "--help" || name == "-h" { return .help(isShort: name == "-h") }
        let option = try row(named: name)
        if !option.isRepeatable, typed.contains(where: { $0.row.name == option.name }) {
          throw UsageError("\(option.longForm) is given twice")
        }
        let value = try value(of: option, typedAs: name, attached: attached, from: &rest)
        typed.append(Given(row: option, value: value, name: option.longForm))
      }
    }
    let line = try typed + operandValues(operandWords)
    let others = try environmentValues(environment, except: line)
    var arguments = defaults
    for given in others + line { try apply(given, to: &arguments) }
    try refuseContradictions(line, others)
    return .run(arguments, settings(others + typed))
  }

  /// The word that excludes another one.
  private func opponent(of word: String, among line: [Given]) -> String? {
    (manual[name].exclusions + manual[Manual.name].exclusions).lazy.compactMap { row in
      let others = row.first == word ? row.dropFirst() : row.contains(word) ? row.prefix(1) : []
      return others.first { other in line.contains { $0.name == other } }
    }.first
  }

  private func refuseContradictions(
    _ line: [Given],
    _ others: [Given]
  ) throws(UsageError) {
    for word in line.map(\.name) {
      guard let other = opponent(of: word, among: line) else { continue }
      throw UsageError("\(word) and \(other) exclude each other")
    }
    let known = line.map(\.name) + others.map(\.row.longForm)
    for row in manual[name].needs where line.contains(where: { $0.name == row[0] }) {
      guard !known.contains(row[1]) else { continue }
      throw UsageError("\(row[0]) has no effect without \(row[1])")
    }
  }

  private func row(named name: String) throws(UsageError) -> OptionRow {
    if let row = options.first(where: { $0.forms.contains(name) }) { return row }
    let names = options.map(\.longForm)
    throw .unknown(
      "option",
      name,
      former: ["\(self.name) \(name)", name],
      suggestion: name.hasPrefix("--") ? NearestName.of(name, among: names) : nil
    )
  }

  private func value(
    of option: OptionRow,
    typedAs name: String,
    attached: String?,
    from line: inout CommandLineWords
  ) throws(UsageError) -> String {
    guard let placeholder = option.placeholder else {
      guard let attached else { return option.isRepeatable ? "1" : "" }
      // -vv is -v -v.
      if option.isRepeatable, let short = option.short, name == "-\(short)",
        attached.allSatisfy({ $0 == short })
      {
        return "\(1 + attached.count)"
      }
      throw UsageError("\(name) takes no value, but '\(attached)' is attached to it")
    }
    // As a path, an empty text would be the current folder.
    if let value = attached ?? line.nextValue(), !value.isEmpty { return value }
    throw UsageError("\(name) needs a value: \(name) \(placeholder)")
  }

  /// The values of the environment that the line neither overrides nor excludes.
  private func environmentValues(
    _ environment: [String: String],
    except line: [Given]
  ) throws(UsageError) -> [Given] {
    var given: [Given] = []
    for row in options + OptionRow.variables where !row.isOnlyTyped {
      let (name, variable) = (row.longForm, row.environmentName)
      guard let text = environment[variable], !text.isEmpty,
        !line.contains(where: { $0.name == name }), opponent(of: name, among: line) == nil
      else { continue }
      for value in try row.values(text, of: variable) {
        given.append(Given(row: row, value: value, name: variable))
      }
    }
    return given
  }

  private func apply(_ given: Given, to arguments: inout Arguments) throws(UsageError) {
    guard let value = given.value else { return }
    do {
      if value == "-", !given.row.takesDash {
        throw UsageError("- is not a file here; write ./- for one of this name")
      }
      try given.row.set(&arguments, value)
    } catch {
      throw UsageError("\(given.name): \(error)")
    }
  }

  private func settings(_ given: [Given]) -> [String] {
    options.compactMap { option in
      let values = given.filter { $0.row.name == option.name }
      guard let first = values.first else { return nil }
      let texts = values.map { option.isFlag ? "\($0.value != nil)" : $0.value ?? "" }
      return
        "\(option.longForm) \(texts.joined(separator: ", ")): "
        + (first.name == option.longForm ? "command line" : first.name)
    }
  }

  /// The option for a file that is often typed without it: a plan is JSON, a source is not.
  private func option(for file: String) -> String? {
    let names = file.hasSuffix(".json") ? ["plan", "source"] : ["source", "plan"]
    return names.lazy.compactMap { name in options.first { $0.name == name } }.first?.longForm
  }

  private func operandValues(_ words: [String]) throws(UsageError) -> [Given] {
    var given: [Given] = []
    for (index, word) in words.enumerated() {
      guard let row = index < operands.count ? operands[index] : operands.last,
        index < operands.count || row.isRepeatable
      else { throw .unexpected(word, option: option(for: word)) }
      // A word to complete may be empty.
      guard !word.isEmpty || row.name == "WORDS" else {
        throw .missingOperand(row.name)
      }
      given.append(Given(row: row, value: word, name: row.name))
    }
    let missing = operands.dropFirst(words.count).first { !$0.isOptional }
    if let missing { throw .missingOperand(missing.name) }
    return given
  }
}

extension OptionRow {
  fileprivate func values(_ text: String, of variable: String) throws(UsageError) -> [String?] {
    if isFlag {
      switch text {
      case "0": return [nil]
      case "1": return [""]
      default:
        throw UsageError("\(variable): '\(text)' is neither 1 nor 0")
      }
    }
    guard isRepeatable else { return [text] }
    return text.split(separator: "\n").map(String.init)
  }
}

struct CommandLineWords {
  /// One word, or the part of one that names an option.
  enum Word: Equatable {
    /// `--name` or `-n`, with the rest of the word.
    case option(String, attached: String?)
    case operand(String)
  }

  private var words: ArraySlice<String>
  private var onlyOperands = false

  init(_ words: [String]) {
    self.words = words[...]
  }

  /// The next word; `--` is skipped, and all words after it are operands.
  mutating func next() -> Word? {
    guard let word = words.popFirst() else { return nil }
    if onlyOperands || !Self.looksLikeOption(word) { return .operand(word) }
    if word == "--" {
      onlyOperands = true
      return next()
    }
    if word.hasPrefix("--") {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return .option(String(parts[0]), attached: parts.count == 2 ? String(parts[1]) : nil)
    }
    let attached = word.dropFirst(2)
    return .option(String(word.prefix(2)), attached: attached.isEmpty ? nil : String(attached))
  }

  /// The next word as the value of the option before it, unless it looks like an option itself.
  ///
  /// Such a value can still be given with `--name=value`.
  mutating func nextValue() -> String? {
    guard let word = words.first, !Self.looksLikeOption(word) else { return nil }
    return words.popFirst()
  }

  private static func looksLikeOption(_ word: String) -> Bool {
    word.hasPrefix("-") && word != "-"
  }
}
