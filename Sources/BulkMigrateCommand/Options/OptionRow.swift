import BulkSupport
import BulkExecute
import BulkFleet
import BulkMigrate
import BulkPlan

protocol OptionValue: Sendable {
  init(parsing text: String) throws
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

extension Int64: OptionValue {
  init(parsing text: String) throws {
    guard let number = Int64(text) else { throw UsageError(text, among: ["a number"]) }
    self = number
  }
}

extension ByteCount: OptionValue {}
extension Duration: OptionValue {}
extension PlanAllowance: OptionValue {}
extension RejectPolicy.Action: OptionValue {}
extension RejectPolicy.Dependants: OptionValue {}
extension StoreResult.Failure: OptionValue {}
extension StoreStrategy.Kind: OptionValue {}
extension VerificationLevel: OptionValue {}

typealias ArgumentPath<Value> = any WritableKeyPath<Arguments, Value> & Sendable

/// One option or operand of a command, and its effect on the command's arguments; ``Manual`` explains it.
struct OptionRow: Sendable {
  typealias Setter = @Sendable (inout Arguments, String) throws -> Void

  let name: String
  var takesValue = false
  var isRepeatable = false
  var words: [String] = []
  var usual: String?
  var isOnlyTyped = false
  /// Whether - is a value of it, standard input or output.
  var takesDash = false
  /// Whether an operand may be left out.
  var isOptional = false
  var home: String?
  var text = Manual.Entry()
  var set: Setter = { _, _ in }
  /// The value that it has by default in some arguments, for its help.
  var usualValue: @Sendable (Arguments) -> String? = { _ in nil }

  var short: Character? { text.short }
  var placeholder: String? { takesValue ? text.placeholder ?? "VALUE" : nil }
  var explanation: String { usual.map { "\(text.help) Default: \($0)." } ?? text.help }
  var longForm: String { "--\(name)" }
  var forms: [String] { (short.map { ["-\($0)"] } ?? []) + [longForm] }
  /// Whether it is set or not, and neither has a value nor is counted.
  var isFlag: Bool { !takesValue && !isRepeatable }

  var syntax: String {
    (short == nil ? "    " : "") + forms.joined(separator: ", ")
      + (placeholder.map { " \($0)" } ?? "") + (isRepeatable ? " …" : "")
  }

  /// The variable of the environment that sets it, `BULKMIGRATE_<NAME>`.
  ///
  /// `1` sets a flag, and `0` does not; each line is a value of an option that may be repeated. An empty variable
  /// counts as none.
  var environmentName: String {
    "BULKMIGRATE_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }
}

extension OptionRow {
  static func value<Value: OptionValue>(
    _ name: String,
    _ path: ArgumentPath<Value>
  ) -> OptionRow {
    var row = value(name) { $0[keyPath: path] = try Value(parsing: $1) }.among(Value.words)
    row.usualValue = { $0[keyPath: path].typed }
    return row
  }

  static func value(
    _ name: String,
    in range: ClosedRange<Int>,
    _ path: ArgumentPath<Int>
  ) -> OptionRow {
    var row = value(name) { $0[keyPath: path] = try Int(parsing: $1, in: range) }
    row.usualValue = { "\($0[keyPath: path])" }
    return row
  }

  static func value(_ name: String, set: @escaping Setter) -> OptionRow {
    OptionRow(name: name, takesValue: true, set: set)
  }

  static func values<Value: OptionValue>(
    _ name: String,
    _ path: ArgumentPath<[Value]>
  ) -> OptionRow {
    values(name) { $0[keyPath: path].append(try Value(parsing: $1)) }
  }

  static func values(_ name: String, add: @escaping Setter) -> OptionRow {
    OptionRow(name: name, takesValue: true, isRepeatable: true, set: add)
  }

  static func flag(_ name: String, _ path: ArgumentPath<Bool>) -> OptionRow {
    flag(name) { $0[keyPath: path] = true }
  }

  static func flag(
    _ name: String,
    set: @escaping @Sendable (inout Arguments) -> Void
  ) -> OptionRow {
    OptionRow(name: name) { arguments, _ in set(&arguments) }
  }

  /// An option without a value that counts how often it is given; its setter gets the number.
  static func count(
    _ name: String,
    set: @escaping @Sendable (inout Arguments, Int) -> Void
  ) -> OptionRow {
    OptionRow(name: name, isRepeatable: true) {
      set(&$0, try Int(parsing: $1, in: 0...9))
    }
  }

  func among(_ words: [String]) -> OptionRow { setting(\.words, to: words) }

  /// The same option, to which - is standard input or output.
  func takingDash() -> OptionRow { setting(\.takesDash, to: true) }

  /// The same operand, which may be left out if it is optional or may be repeated.
  func optional(_ isOptional: Bool) -> OptionRow {
    setting(\.isOptional, to: isOptional || isRepeatable)
  }

  static func help(in manual: Manual) -> OptionRow {
    let row = OptionRow(name: "help", isOnlyTyped: true, home: Manual.name)
    return row.explained(by: manual, in: Manual.name, Arguments())
  }

  func onlyTyped() -> OptionRow { setting(\.isOnlyTyped, to: true) }

  /// The same option with its text, and with the value that it has by default in some arguments.
  func explained(by manual: Manual, in command: String, _ defaults: Arguments) -> OptionRow {
    var row = setting(\.usual, to: usualValue(defaults))
    row.text = manual.entry(name, of: home ?? command) ?? Manual.Entry(name: name)
    return row
  }

  private func setting<Value>(
    _ part: WritableKeyPath<OptionRow, Value>,
    to value: Value
  ) -> OptionRow {
    var row = self
    row[keyPath: part] = value
    return row
  }

  func of(_ command: String) -> OptionRow { setting(\.home, to: command) }
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
  init(parsing text: String, in range: ClosedRange<Int>) throws(UsageError) {
    guard let number = Int(text), range.contains(number) else {
      let bounds = "from \(range.lowerBound) to \(range.upperBound)"
      throw UsageError(text, among: ["a number \(bounds)"])
    }
    self = number
  }
}
