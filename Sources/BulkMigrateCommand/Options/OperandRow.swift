/// A word of a command line that belongs to no option, as the `STORE` of `inspect STORE`.
struct OperandRow<Arguments>: Sendable {
  /// Writes the word into the arguments; what it throws is reported with the operand's name.
  typealias Setter = @Sendable (inout Arguments, String) throws -> Void

  let name: String
  let help: String
  let isOptional: Bool
  let set: Setter

  /// An operand that must be there.
  static func required(_ name: String, _ help: String, set: @escaping Setter) -> OperandRow {
    OperandRow(name: name, help: help, isOptional: false, set: set)
  }

  /// An operand that may be left out; it comes after those that must be there.
  static func optional(_ name: String, _ help: String, set: @escaping Setter) -> OperandRow {
    OperandRow(name: name, help: help, isOptional: true, set: set)
  }
}
