/// One option of a command, and its effect on the command's arguments.
struct OptionRow<Arguments>: Sendable {
  /// Sets the value in the arguments; errors are reported with the option's name.
  typealias Setter = @Sendable (inout Arguments, String) throws -> Void

  private(set) var option: CommandDescription.Option
  let set: Setter

  static func value(
    _ name: String,
    short: Character? = nil,
    _ placeholder: String,
    _ help: String,
    set: @escaping Setter
  ) -> OptionRow {
    let option = CommandDescription.Option(
      name: name,
      short: short,
      placeholder: placeholder,
      help: help
    )
    return OptionRow(option: option, set: set)
  }

  /// An option with a value that may be given repeatedly; its setter is called each time.
  static func values(
    _ name: String,
    _ placeholder: String,
    _ help: String,
    add: @escaping Setter
  ) -> OptionRow {
    var row = value(name, placeholder, help, set: add)
    row.option.isRepeatable = true
    return row
  }

  /// An option whose value is a word of an enumeration, which a shell can complete.
  static func word<Word: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String,
    _ placeholder: String,
    _ help: String,
    set: @escaping @Sendable (inout Arguments, Word) -> Void
  ) -> OptionRow {
    value(name, placeholder, help) { set(&$0, try Word(parsing: $1)) }.among(Word.words)
  }

  /// An option without a value.
  static func flag(
    _ name: String,
    short: Character? = nil,
    _ help: String,
    set: @escaping @Sendable (inout Arguments) -> Void
  ) -> OptionRow {
    let option = CommandDescription.Option(name: name, short: short, help: help)
    return OptionRow(option: option) { arguments, _ in set(&arguments) }
  }

  /// An option without a value that counts how often it is given; its setter gets the number.
  static func count(
    _ name: String,
    short: Character,
    _ help: String,
    set: @escaping @Sendable (inout Arguments, Int) -> Void
  ) -> OptionRow {
    let option = CommandDescription.Option(name: name, short: short, help: help, isRepeatable: true)
    return OptionRow(option: option) { set(&$0, try Int(parsing: $1, in: 0...9)) }
  }

  /// The same option, whose value is one of some words, which a shell can complete.
  func among(_ words: [String]) -> OptionRow { setting(\.words, to: words) }

  /// The same option, and the value that it has where nothing is given.
  func usually(_ value: String) -> OptionRow { setting(\.usual, to: value) }

  /// The same option, which the environment may not set.
  func onlyTyped() -> OptionRow { setting(\.isOnlyTyped, to: true) }

  private func setting<Value>(
    _ part: WritableKeyPath<CommandDescription.Option, Value>,
    to value: Value
  ) -> OptionRow {
    var row = self
    row.option[keyPath: part] = value
    return row
  }

  /// The same option of arguments that contain these.
  func within<Whole>(
    _ part: any WritableKeyPath<Whole, Arguments> & Sendable
  ) -> OptionRow<Whole> {
    OptionRow<Whole>(option: option) { [set] in try set(&$0[keyPath: part], $1) }
  }
}

extension Array {
  /// The same options of arguments that contain these.
  func within<Whole, Part>(
    _ part: any WritableKeyPath<Whole, Part> & Sendable
  ) -> [OptionRow<Whole>] where Element == OptionRow<Part> {
    map { $0.within(part) }
  }
}

extension RawRepresentable<String> where Self: CaseIterable {
  static var words: [String] { allCases.map(\.rawValue) }

  init(parsing text: String) throws(UsageError) {
    guard let known = Self(rawValue: text) else { throw UsageError(text, among: Self.words) }
    self = known
  }
}

extension Int {
  /// Parses a number of a range, which the error calls `a number` or as it is named.
  init(
    parsing text: String,
    in range: ClosedRange<Int>,
    _ name: String = "a number"
  )
    throws(UsageError)
  {
    guard let number = Int(text), range.contains(number) else {
      let bounds = "from \(range.lowerBound) to \(range.upperBound)"
      throw UsageError(text, among: ["\(name) \(bounds)"])
    }
    self = number
  }
}
