import BulkCoding
import BulkExecute
import BulkFleet
import BulkVerify
import BulkVersions

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

/// One option of a command, and its effect on the command's arguments; ``Manual`` explains it.
struct OptionRow: Sendable {
  typealias Setter = @Sendable (inout Arguments, String) throws -> Void

  private(set) var option: CommandDescription.Option
  fileprivate var usual: @Sendable (Arguments) -> String? = { _ in nil }
  let set: Setter

  static func value<Value: OptionValue>(
    _ name: String,
    _ path: ArgumentPath<Value>
  ) -> OptionRow {
    var row = value(name) { $0[keyPath: path] = try Value(parsing: $1) }.among(Value.words)
    row.usual = { $0[keyPath: path].typed }
    return row
  }

  static func value(
    _ name: String,
    in range: ClosedRange<Int>,
    _ path: ArgumentPath<Int>
  ) -> OptionRow {
    var row = value(name) { $0[keyPath: path] = try Int(parsing: $1, in: range) }
    row.usual = { "\($0[keyPath: path])" }
    return row
  }

  static func value(_ name: String, set: @escaping Setter) -> OptionRow {
    OptionRow(option: .init(name: name, takesValue: true), set: set)
  }

  static func values<Value: OptionValue>(
    _ name: String,
    _ path: ArgumentPath<[Value]>
  ) -> OptionRow {
    values(name) { $0[keyPath: path].append(try Value(parsing: $1)) }
  }

  static func values(_ name: String, add: @escaping Setter) -> OptionRow {
    OptionRow(option: .init(name: name, takesValue: true, isRepeatable: true), set: add)
  }

  static func flag(_ name: String, _ path: ArgumentPath<Bool>) -> OptionRow {
    flag(name) { $0[keyPath: path] = true }
  }

  static func flag(
    _ name: String,
    set: @escaping @Sendable (inout Arguments) -> Void
  ) -> OptionRow {
    OptionRow(option: .init(name: name)) { arguments, _ in set(&arguments) }
  }

  /// An option without a value that counts how often it is given; its setter gets the number.
  static func count(
    _ name: String,
    set: @escaping @Sendable (inout Arguments, Int) -> Void
  ) -> OptionRow {
    OptionRow(option: .init(name: name, isRepeatable: true)) {
      set(&$0, try Int(parsing: $1, in: 0...9))
    }
  }

  func among(_ words: [String]) -> OptionRow { setting(\.words, to: words) }

  /// The same option, to which - is standard input or output.
  func takingDash() -> OptionRow { setting(\.takesDash, to: true) }

  /// The same operand, which may be left out if it is optional or may be repeated.
  func optional(_ isOptional: Bool) -> OptionRow {
    setting(\.isOptional, to: isOptional || option.isRepeatable)
  }

  func onlyTyped() -> OptionRow { setting(\.isOnlyTyped, to: true) }

  /// The same option with its text, and with the value that it has by default in some arguments.
  func explained(by manual: Manual, in command: String, _ defaults: Arguments) -> OptionRow {
    var row = setting(\.usual, to: usual(defaults))
    let home = option.home ?? command
    row.option.text = manual.entry(option.name, of: home) ?? Manual.Entry(name: option.name)
    return row
  }

  private func setting<Value>(
    _ part: WritableKeyPath<CommandDescription.Option, Value>,
    to value: Value
  ) -> OptionRow {
    var row = self
    row.option[keyPath: part] = value
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
