import BulkCoding

/// The options and operands of a command, from which its parser and, with the ``Manual``, its help are made.
///
/// ```swift
/// static let table = OptionTable(
///   "run",
///   results: [.record],
///   options: [.value("max-memory", \.maxMemory), .flag("restart", \.restarts)]
/// )
/// ```
///
/// Every table also understands `--help` and the rows of ``OutputOptions``; `--json` where there are results.
struct OptionTable<Arguments: CommandArguments>: Sendable {
  enum Request {
    /// The command with its arguments, and a line for each option that is set.
    case run(Arguments, [String])
    case help(isShort: Bool)
  }

  let name: String
  let defaults: Arguments
  let options: [OptionRow<Arguments>]
  let operands: [OperandRow<Arguments>]
  private let manual: Manual
  private let results: [ResultFormat]

  /// Without documents that the command prints with `--json` it takes no `--json`.
  init(
    _ name: String,
    of manual: Manual = .program,
    results: [ResultFormat] = [],
    defaults: Arguments = Arguments(),
    options: [OptionRow<Arguments>] = [],
    operands: [OperandRow<Arguments>] = []
  ) {
    self.options = (options + OutputOptions.rows(results)).map {
      $0.explained(by: manual, in: name, defaults)
    }
    self.operands = operands.map { $0.explained(by: manual, in: name) }
    (self.name, self.defaults, self.manual, self.results) = (name, defaults, manual, results)
  }

  var description: CommandDescription {
    CommandDescription(
      name: name,
      text: manual[name],
      operands: operands.map(\.operand),
      options: options.map(\.option) + [.help(in: manual)],
      results: results
    )
  }
}

/// An operand of a command, and its effect on the command's arguments; ``Manual`` explains it.
struct OperandRow<Arguments>: Sendable {
  typealias Setter = @Sendable (inout Arguments, String) throws -> Void

  private(set) var operand: CommandDescription.Operand
  let set: Setter

  static func required<Value: OptionValue>(
    _ name: String,
    _ path: ArgumentPath<Arguments, Value>
  ) -> OperandRow {
    var row = required(name) { $0[keyPath: path] = try Value(parsing: $1) }
    row.operand.words = Value.words
    return row
  }

  static func required(_ name: String, set: @escaping Setter) -> OperandRow {
    OperandRow(operand: .init(name: name), set: set)
  }

  static func optional<Value: OptionValue>(
    _ name: String,
    _ path: ArgumentPath<Arguments, Value>
  ) -> OperandRow {
    var row = required(name, path)
    row.operand.isOptional = true
    return row
  }

  static func rest(_ name: String, _ path: ArgumentPath<Arguments, [String]>) -> OperandRow {
    OperandRow(operand: .init(name: name, isOptional: true, takesRest: true)) {
      $0[keyPath: path].append($1)
    }
  }

  fileprivate func explained(by manual: Manual, in command: String) -> OperandRow {
    var row = self
    row.operand.help = manual.entry(operand.name, of: command)?.help ?? ""
    return row
  }
}

extension OptionTable {
  private struct Given {
    let row: OptionRow<Arguments>
    let value: String?
    var variable: String?

    var option: CommandDescription.Option { row.option }
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
    var line = CommandLineWords(words)
    var typed: [Given] = []
    var operandWords: [String] = []
    while let word = line.next() {
      switch word {
      case .operand(let text):
        operandWords.append(text)
      case .option(let name, let attached):
        if name == "--help" || name == "-h" { return .help(isShort: name == "-h") }
        let row = try row(named: name)
        let option = row.option
        if !option.isRepeatable, typed.contains(where: { $0.option.name == option.name }) {
          throw UsageError("\(option.longForm) is given twice")
        }
        let value = try value(of: option, typedAs: name, attached: attached, from: &line)
        typed.append(Given(row: row, value: value))
      }
    }
    let known = typed.map(\.option.longForm) + zip(operands, operandWords).map(\.0.operand.name)
    let given =
      try environmentValues(environment, except: typed).filter {
        opponent(of: $0.option.longForm, among: known) == nil
      } + typed
    var arguments = defaults
    for option in given { try apply(option, to: &arguments) }
    try refuseContradictions(known, given)
    try applyOperands(operandWords, to: &arguments)
    return .run(arguments, settings(given))
  }

  /// The word that excludes another one.
  private func opponent(of word: String, among words: [String]) -> String? {
    (manual[name].exclusions + manual[Manual.name].exclusions).lazy.compactMap { row in
      let others = row.first == word ? row.dropFirst() : row.contains(word) ? row.prefix(1) : []
      return others.first(where: words.contains)
    }.first
  }

  private func refuseContradictions(
    _ line: [String],
    _ given: [Given]
  ) throws(UsageError) {
    for word in line {
      guard let other = opponent(of: word, among: line) else { continue }
      throw UsageError("\(word) and \(other) exclude each other")
    }
    let known = given.map(\.option.longForm)
    for row in manual[name].needs where line.contains(row[0]) && !known.contains(row[1]) {
      throw UsageError("\(row[0]) has no effect without \(row[1])")
    }
  }

  private func row(named name: String) throws(UsageError) -> OptionRow<Arguments> {
    if let row = options.first(where: { $0.option.forms.contains(name) }) { return row }
    let names = options.map(\.option.longForm) + ["--help"]
    throw .unknown(
      "option",
      name,
      former: ["\(self.name) \(name)", name],
      suggestion: name.hasPrefix("--") ? NearestName.of(name, among: names) : nil
    )
  }

  private func value(
    of option: CommandDescription.Option,
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

  private func environmentValues(
    _ environment: [String: String],
    except typed: [Given]
  ) throws(UsageError) -> [Given] {
    var given: [Given] = []
    for row in options
    where !row.option.isOnlyTyped && !typed.contains(where: { $0.option.name == row.option.name }) {
      let variable = row.option.environmentName
      guard let text = environment[variable], !text.isEmpty else { continue }
      for value in try row.option.values(text, of: variable) {
        given.append(Given(row: row, value: value, variable: variable))
      }
    }
    return given
  }

  private func apply(_ given: Given, to arguments: inout Arguments) throws(UsageError) {
    guard let value = given.value else { return }
    do {
      if value == "-", !given.option.takesDash {
        throw UsageError("- is not a file here; write ./- for one of this name")
      }
      try given.row.set(&arguments, value)
    } catch {
      throw UsageError("\(given.variable ?? given.option.longForm): \(error)")
    }
  }

  private func settings(_ given: [Given]) -> [String] {
    options.map(\.option).compactMap { option in
      let values = given.filter { $0.option.name == option.name }
      guard let first = values.first else { return nil }
      let texts = values.map { option.isFlag ? "\($0.value != nil)" : $0.value ?? "" }
      return
        "\(option.longForm) \(texts.joined(separator: ", ")): \(first.variable ?? "command line")"
    }
  }

  /// The option for a file that is often typed without it: a plan is JSON, a source is not.
  private func option(for file: String) -> String? {
    let names = file.hasSuffix(".json") ? ["plan", "source"] : ["source", "plan"]
    let known = options.map(\.option)
    return names.lazy.compactMap { name in known.first { $0.name == name } }.first?.longForm
  }

  private func applyOperands(
    _ words: [String],
    to arguments: inout Arguments
  ) throws(UsageError) {
    for (index, word) in words.enumerated() {
      guard let row = index < operands.count ? operands[index] : operands.last,
        index < operands.count || row.operand.takesRest
      else { throw .unexpected(word, option: option(for: word)) }
      // A word to complete may be empty.
      guard !word.isEmpty || row.operand.name == "WORDS" else {
        throw .missingOperand(row.operand.name)
      }
      do {
        try row.set(&arguments, word)
      } catch {
        throw UsageError("\(row.operand.name): \(error)")
      }
    }
    if let missing = operands.dropFirst(words.count).map(\.operand).first(where: { !$0.isOptional })
    {
      throw .missingOperand(missing.name)
    }
  }
}

extension CommandDescription.Option {
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
