internal import BulkCoding
internal import BulkModel

/// The arguments of one call of a method.
struct MethodArguments {
  let selector: String
  let values: [EvaluatedValue]
  /// The argument that is a set of characters.
  let characters: CharacterSetConstant?
  /// Counts the bytes of the result before it is made.
  let memory: MethodMemory
  /// The time at which the run began, in seconds since 2001.
  let now: Double

  func text(_ place: Int) throws(EvaluationFailure) -> String {
    guard let text = values[place].string else { throw refused(place, .text) }
    return text
  }

  func number(_ place: Int) throws(EvaluationFailure) -> Number {
    guard let number = values[place].number else { throw refused(place, .number) }
    return number
  }

  /// A number without its fraction.
  func integer(_ place: Int) throws(EvaluationFailure) -> Int64 {
    let number = try number(place)
    guard let integer = number.integer else {
      throw failure("takes an integer of 64 bits, not \(number.text)")
    }
    return integer
  }

  func date(_ place: Int) throws(EvaluationFailure) -> Double {
    guard case .attribute(.date(let seconds)) = values[place] else { throw refused(place, .date) }
    return seconds
  }

  func collection(_ place: Int) throws(EvaluationFailure) -> ValueCollection {
    guard case .collection(let collection) = values[place] else {
      throw refused(place, .collection)
    }
    return collection
  }

  /// The location and the length of a range, neither negative.
  func range(_ place: Int) throws(EvaluationFailure) -> UnitRange {
    guard case .collection(let collection) = values[place], collection.elements.count == 2,
      case .integer(let location)? = collection.elements[0].number,
      case .integer(let length)? = collection.elements[1].number
    else { throw refused(place, .range) }
    return UnitRange(location: location, length: length)
  }

  private func refused(_ place: Int, _ parameter: MethodParameter) -> EvaluationFailure {
    failure("takes \(parameter.expected), not \(values[place].kind)")
  }

  /// The failure of the method, without its selector.
  func failure(_ reason: String) -> EvaluationFailure { EvaluationFailure("\(selector) \(reason)") }

  /// Whether `isEqual:` holds for the first argument and a receiver.
  func isFirstEqual(to receiver: EvaluatedValue) -> EvaluatedValue {
    .boolean(values[0].isEqual(to: receiver))
  }

  func units(of text: String) -> TextUnits { TextUnits(text: text, selector: selector) }

  /// Counts bytes that are about to be allocated.
  func take(_ bytes: Int) throws(EvaluationFailure) { try memory.take(bytes, selector) }

  /// Counts elements of a collection that is about to be made, without their texts.
  func takeElements(_ count: Int) throws(EvaluationFailure) {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: MethodMemory.elementSize)
    try take(overflow ? .max : bytes)
  }
}

/// A range as `NSRange` has it.
struct UnitRange: Hashable {
  let location: Int64
  let length: Int64

  /// The range within a number of units; a failure if it does not lie in them.
  func bounds(within count: Int, _ selector: String) throws(EvaluationFailure) -> Range<Int> {
    guard location >= 0, length >= 0, location <= Int64(count), length <= Int64(count) - location
    else {
      throw EvaluationFailure(
        "\(selector) takes a range within 0 ..< \(count), not {\(location), \(length)}"
      )
    }
    return Int(location)..<Int(location + length)
  }
}

/// The bytes that the results of expressions with methods take in a page of rows.
///
/// A method may make a large value of a small one, so a page may have to end before its last row.
package final class ResultMemory {
  private let limit: Int
  private var taken = 0

  /// - Parameter limit: The bytes after which a page ends.
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
  fileprivate var approximateBytes: Int {
    switch self {
    case .attribute(let value): MethodMemory.elementSize + value.contentBytes
    case .object: MethodMemory.elementSize
    case .collection(let collection):
      collection.elements.reduce(MethodMemory.elementSize) { $0 + $1.approximateBytes }
    }
  }
}

/// The bytes that the results of methods take while a row is evaluated, counted before they are made.
final class MethodMemory {
  let limit: Int
  /// The bytes taken so far for the row.
  private(set) var taken = 0
  /// Stops searches that nobody waits for.
  let watch: WorkWatch

  /// The approximate size of an element of a collection in bytes, without its text.
  static let elementSize = 64

  init(limit: Int, _ watch: WorkWatch) {
    self.limit = limit
    self.watch = watch
  }

  /// Begins another row; the results for the one before are discarded.
  func beginRow() { taken = 0 }

  /// Gives back what was taken since an earlier number of bytes.
  func giveBack(to earlier: Int) { taken = earlier }

  /// Counts bytes that are about to be allocated.
  func take(_ bytes: Int, _ selector: String) throws(EvaluationFailure) {
    let (sum, overflow) = taken.addingReportingOverflow(bytes)
    guard !overflow, sum <= limit else {
      throw EvaluationFailure(
        "\(selector) makes more than the \(limit) bytes that the values of a row may take; a larger "
          + "memory limit allows more"
      )
    }
    taken = sum
  }
}
