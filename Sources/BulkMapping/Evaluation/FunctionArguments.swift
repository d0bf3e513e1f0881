internal import BulkSupport
internal import BulkModel

/// The arguments of one call of a function, behind its first operand; no function has more than two.
struct FunctionArguments {
  let selector: String
  var first = EvaluatedValue.null
  var second = EvaluatedValue.null
  let characters: CharacterSetConstant?
  let memory: MethodMemory

  init(_ selector: String, _ memory: MethodMemory, characters: CharacterSetConstant? = nil) {
    self.selector = selector
    self.memory = memory
    self.characters = characters
  }

  /// The first argument as a value of a parameter.
  func read<Value>(
    _ parameter: Parameter,
    _ value: (EvaluatedValue) -> Value?
  ) throws(EvaluationFailure) -> Value {
    guard let value = value(first) else {
      throw failure("takes \(parameter.expected), not \(first.kind)")
    }
    return value
  }

  func text() throws(EvaluationFailure) -> String { try read(.text, \.string) }
  func number() throws(EvaluationFailure) -> Number { try read(.number, \.number) }
  func date() throws(EvaluationFailure) -> Double { try read(.date, \.date) }
  func collection() throws(EvaluationFailure) -> ValueCollection {
    try read(.collection, \.collection)
  }

  /// A number without its fraction.
  func integer() throws(EvaluationFailure) -> Int64 {
    let number = try number()
    guard let integer = number.integer else {
      throw failure("takes an integer of 64 bits, not \(number.text)")
    }
    return integer
  }

  /// The failure of the function, without its selector.
  func failure(_ reason: String) -> EvaluationFailure { EvaluationFailure("\(selector) \(reason)") }

  func isFirstEqual(to receiver: EvaluatedValue) -> EvaluatedValue {
    .boolean(first.isEqual(to: receiver))
  }

  /// Counts bytes before a method allocates many more than its receiver has.
  func reserve(_ bytes: Int) throws(EvaluationFailure) { try memory.check(bytes, selector) }
}

/// The bytes that the results of expressions with methods take in a page of rows.
///
/// A method may make a large value of a small one, so a page may have to end before its last row.
package final class ResultMemory {
  private let limit: Int
  private var taken = 0

  package init(limit: Int) { self.limit = limit }

  /// Begins another page; the results of the one before are discarded.
  package func beginPage() { taken = 0 }

  /// Counts a result, and returns whether the page must end after the row.
  func isFull(after value: EvaluatedValue) -> Bool {
    taken += value.approximateBytes
    return taken >= limit
  }
}

extension EvaluatedValue {
  /// The approximate size in bytes.
  var approximateBytes: Int {
    switch self {
    case .attribute(let value): MethodMemory.elementSize + value.contentBytes
    case .object: MethodMemory.elementSize
    case .collection(let collection):
      collection.elements.reduce(MethodMemory.elementSize) { $0 + $1.approximateBytes }
    }
  }
}

/// The bytes that the results of methods take while a row is evaluated.
final class MethodMemory {
  let limit: Int
  /// The bytes taken so far for the row.
  private(set) var taken = 0
  /// Stops searches that nobody waits for.
  let watch: WorkWatch

  /// The approximate size of a value in bytes, without its text.
  static let elementSize = 64

  init(limit: Int, _ watch: WorkWatch) {
    self.limit = limit
    self.watch = watch
  }

  /// Begins another row; the results for the one before are discarded.
  func beginRow() { taken = 0 }

  /// Gives back what was taken since an earlier number of bytes.
  func giveBack(to earlier: Int) { taken = earlier }

  func check(_ bytes: Int, _ name: String) throws(EvaluationFailure) {
    guard bytes <= limit - taken else {
      throw EvaluationFailure(
        "\(name) makes more than the \(limit) bytes that the values of a row may take; a larger "
          + "memory limit allows more"
      )
    }
  }

  func take(_ bytes: Int, _ name: String) throws(EvaluationFailure) {
    try check(bytes, name)
    taken += bytes
  }
}
