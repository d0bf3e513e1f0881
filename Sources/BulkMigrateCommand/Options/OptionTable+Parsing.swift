import BulkCoding

extension OptionTable {
  /// Parses a command line.
  ///
  /// Setters run after the whole line is parsed: those of the environment first, for options that the line
  /// does not have, then those of the line from left to right.
  ///
  /// - Parameters:
  ///   - words: The words after the command's name.
  ///   - environment: The environment's variables by name.
  /// - Returns: The arguments, or a request for help, which overrides everything else.
  /// - Throws: The first mistake of the line, as ``UsageError``.
  func parse(
    _ words: [String],
    environment: [String: String] = [:]
  ) throws(UsageError) -> Request {
    var line = CommandLineWords(words)
    var typed: [(row: OptionRow<Arguments>, value: String)] = []
    var operandWords: [String] = []
    while let word = line.next() {
      switch word {
      case .operand(let text):
        operandWords.append(text)
      case .option(let name, let attached):
        if name == "--help" || name == "-h" { return .help }
        let row = try row(named: name)
        if !row.isRepeatable, typed.contains(where: { $0.row.name == row.name }) {
          throw .repeatedOption(row.longForm)
        }
        typed.append((row, try value(of: row, typedAs: name, attached: attached, from: &line)))
      }
    }
    var arguments = defaults
    try applyEnvironment(environment, except: typed.map(\.row.name), to: &arguments)
    for (row, value) in typed {
      try apply(value, with: row.set, named: row.longForm, to: &arguments)
    }
    try applyOperands(operandWords, to: &arguments)
    return .run(arguments)
  }

  private func row(named name: String) throws(UsageError) -> OptionRow<Arguments> {
    if let row = options.first(where: { $0.longForm == name }) { return row }
    if let row = options.first(where: { $0.short.map { "-\($0)" } == name }) { return row }
    let names = options.map(\.longForm) + ["--help"]
    let suggestion = name.hasPrefix("--") ? NearestName.of(name, among: names) : nil
    throw .unknownOption(name, suggestion: suggestion)
  }

  private func value(
    of row: OptionRow<Arguments>,
    typedAs name: String,
    attached: String?,
    from line: inout CommandLineWords
  ) throws(UsageError) -> String {
    guard let placeholder = row.placeholder else {
      if let attached { throw .superfluousValue(option: name, value: attached) }
      return ""
    }
    if let value = attached ?? line.nextValue() { return value }
    throw .missingValue(option: name, placeholder: placeholder)
  }

  private func applyEnvironment(
    _ environment: [String: String],
    except names: [String],
    to arguments: inout Arguments
  ) throws(UsageError) {
    for row in options where !names.contains(row.name) {
      guard let variable = row.environmentName, let value = environment[variable],
        !value.isEmpty
      else { continue }
      if row.placeholder == nil {
        if value == "0" { continue }
        guard value == "1" else {
          throw .refusedValue(option: variable, reason: "'\(value)' is neither 1 nor 0")
        }
      }
      try apply(value, with: row.set, named: variable, to: &arguments)
    }
  }

  private func applyOperands(
    _ words: [String],
    to arguments: inout Arguments
  ) throws(UsageError) {
    if words.count > operands.count { throw .superfluousOperand(words[operands.count]) }
    for (row, word) in zip(operands, words) {
      try apply(word, with: row.set, named: row.name, to: &arguments)
    }
    if let missing = operands.dropFirst(words.count).first(where: { !$0.isOptional }) {
      throw .missingOperand(missing.name)
    }
  }

  /// Calls a setter and adds the option's name to its errors.
  private func apply(
    _ value: String,
    with set: OptionRow<Arguments>.Setter,
    named name: String,
    to arguments: inout Arguments
  ) throws(UsageError) {
    do {
      try set(&arguments, value)
    } catch {
      throw .refusedValue(option: name, reason: "\(error)")
    }
  }
}

/// The words of a command line, separated into options and operands.
struct CommandLineWords {
  /// One word, or the part of one that names an option.
  enum Word: Equatable {
    /// `--name` or `-n`, with the rest of the word.
    case option(String, attached: String?)
    /// A word that belongs to no option; a single `-` is one.
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
