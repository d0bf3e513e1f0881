import BulkCoding
import BulkExecute
import BulkFleet
import BulkVerify
import BulkVersions

/// A value that is typed as a word, of an option or an operand.
protocol OptionValue: Sendable {
  init(parsing text: String) throws
  /// The words among which it is one; empty if it is free.
  static var words: [String] { get }
  /// The value as the default of an option in its help; `nil` where there is none to name.
  var typed: String? { get }
}

extension OptionValue {
  static var words: [String] { [] }
  var typed: String? { "\(self)" }
}

extension OptionValue where Self: RawRepresentable<String> & CaseIterable {
  static var words: [String] { allCases.map(\.rawValue) }
  var typed: String? { rawValue }

  init(parsing text: String) throws {
    guard let known = Self(rawValue: text) else { throw UsageError(text, among: Self.words) }
    self = known
  }
}

extension String: OptionValue {
  init(parsing text: String) { self = text }
  var typed: String? { isEmpty ? nil : self }
}

extension Optional: OptionValue where Wrapped: OptionValue {
  init(parsing text: String) throws { self = try Wrapped(parsing: text) }
  static var words: [String] { Wrapped.words }
  var typed: String? { flatMap(\.typed) }
}

extension ByteCount: OptionValue {}
extension Duration: OptionValue {}
extension PlanAllowance: OptionValue {}
extension RejectPolicy.Action: OptionValue {}
extension RejectPolicy.Dependants: OptionValue {}
extension StoreResult.Failure: OptionValue {}
extension StoreStrategy.Kind: OptionValue {}
extension VerificationLevel: OptionValue {}

/// A property of arguments.
typealias ArgumentPath<Arguments, Value> = any WritableKeyPath<Arguments, Value> & Sendable

/// One option of a command, and its effect on the command's arguments.
struct OptionRow<Arguments>: Sendable {
  /// Sets the value in the arguments; errors are reported with the option's name.
  typealias Setter = @Sendable (inout Arguments, String) throws -> Void

  private(set) var option: CommandDescription.Option
  /// The value that the arguments have where nothing is typed, for the help.
  fileprivate var usual: @Sendable (Arguments) -> String? = { _ in nil }
  let set: Setter

  static func value<Value: OptionValue>(
    _ name: String,
    short: Character? = nil,
    _ placeholder: String,
    _ path: ArgumentPath<Arguments, Value>
  ) -> OptionRow {
    var row = value(name, short: short, placeholder) {
      $0[keyPath: path] = try Value(parsing: $1)
    }
    row.option.words = Value.words
    row.usual = { $0[keyPath: path].typed }
    return row
  }

  /// An option whose value is a number of a range.
  static func value(
    _ name: String,
    _ placeholder: String,
    in range: ClosedRange<Int>,
    _ path: ArgumentPath<Arguments, Int>
  ) -> OptionRow {
    var row = value(name, placeholder) {
      $0[keyPath: path] = try Int(parsing: $1, in: range)
    }
    row.usual = { "\($0[keyPath: path])" }
    return row
  }

  static func value(
    _ name: String,
    short: Character? = nil,
    _ placeholder: String,
    set: @escaping Setter
  ) -> OptionRow {
    let option = CommandDescription.Option(
      name: name,
      short: short,
      placeholder: placeholder
    )
    return OptionRow(option: option, set: set)
  }

  static func values<Value: OptionValue>(
    _ name: String,
    _ placeholder: String,
    _ path: ArgumentPath<Arguments, [Value]>
  ) -> OptionRow {
    values(name, placeholder) { $0[keyPath: path].append(try Value(parsing: $1)) }
  }

  /// An option with a value that may be given repeatedly; its setter is called each time.
  static func values(
    _ name: String,
    _ placeholder: String,
    add: @escaping Setter
  ) -> OptionRow {
    var row = value(name, placeholder, set: add)
    row.option.isRepeatable = true
    return row
  }

  /// An option without a value, which sets a property.
  static func flag(
    _ name: String,
    short: Character? = nil,
    _ path: ArgumentPath<Arguments, Bool>
  ) -> OptionRow {
    flag(name, short: short) { $0[keyPath: path] = true }
  }

  static func flag(
    _ name: String,
    short: Character? = nil,
    set: @escaping @Sendable (inout Arguments) -> Void
  ) -> OptionRow {
    let option = CommandDescription.Option(name: name, short: short)
    return OptionRow(option: option) { arguments, _ in set(&arguments) }
  }

  /// An option without a value that counts how often it is given; its setter gets the number.
  static func count(
    _ name: String,
    short: Character,
    set: @escaping @Sendable (inout Arguments, Int) -> Void
  ) -> OptionRow {
    let option = CommandDescription.Option(name: name, short: short, isRepeatable: true)
    return OptionRow(option: option) { set(&$0, try Int(parsing: $1, in: 0...9)) }
  }

  /// The same option, and what it does.
  func help(_ text: String) -> OptionRow { setting(\.help, to: text) }

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

  /// The option with the value that it has by default in some arguments.
  func option(in arguments: Arguments) -> CommandDescription.Option {
    var result = option
    result.usual = option.usual ?? usual(arguments)
    return result
  }

  /// The same option of arguments that contain these.
  func within<Whole>(_ part: ArgumentPath<Whole, Arguments>) -> OptionRow<Whole> {
    OptionRow<Whole>(option: option, usual: { [usual] in usual($0[keyPath: part]) }) {
      [set] in try set(&$0[keyPath: part], $1)
    }
  }
}

extension Array {
  /// The same options of arguments that contain these.
  func within<Whole, Part>(
    _ part: ArgumentPath<Whole, Part>
  ) -> [OptionRow<Whole>] where Element == OptionRow<Part> {
    map { $0.within(part) }
  }

  /// Those with some names, in their own order.
  func named<Arguments>(_ names: String...) -> [OptionRow<Arguments>]
  where Element == OptionRow<Arguments> {
    filter { names.contains($0.option.name) }
  }
}

extension Double {
  /// Parses a share in percent, as 1%; `nil` for another text.
  init?(percentage text: String) {
    guard text.hasSuffix("%"), let percent = Double(text.dropLast()), (0...100).contains(percent)
    else { return nil }
    self = percent / 100
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
