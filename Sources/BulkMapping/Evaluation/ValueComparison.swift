internal import BulkSupport
internal import BulkModel

struct ValueComparison {
  private(set) var text: TextComparing

  init(_ text: TextComparing) { self.text = text }

  /// Whether a comparison holds; if one side is nil, only `!=` can hold, if both are, `==`, `<=` and
  /// `>=`.
  mutating func holds(
    _ left: EvaluatedValue,
    _ operator: ValuePredicate.Operator,
    _ right: EvaluatedValue
  ) throws(EvaluationFailure) -> Bool {
    switch `operator` {
    case .equalTo: return isEqual(left, right)
    case .notEqualTo: return !isEqual(left, right)
    case .lessThan: return try order(left, right) == .orderedAscending
    case .lessThanOrEqualTo:
      return try order(left, right).map { $0 != .orderedDescending } ?? false
    case .greaterThan: return try order(left, right) == .orderedDescending
    case .greaterThanOrEqualTo:
      return try order(left, right).map { $0 != .orderedAscending } ?? false
    case .between: return try isBetween(left, right)
    case .in: return try contains(right, left)
    case .contains: return try contains(left, right)
    case .beginsWith, .endsWith:
      guard let (whole, part) = try strings(left, right, `operator`) else { return false }
      let (bytes, wanted) = (text.key(whole), text.key(part))
      guard !wanted.isEmpty, bytes.count >= wanted.count else { return false }
      let end = `operator` == .beginsWith ? bytes.prefix(wanted.count) : bytes.suffix(wanted.count)
      return end == wanted[...]
    case .like, .matches:
      guard let (value, pattern) = try strings(left, right, `operator`) else { return false }
      do throws(RegularExpressionFault) {
        return try text.matches(value, pattern, isRegularExpression: `operator` == .matches)
      } catch {
        throw EvaluationFailure("\(pattern) \(error)")
      }
    }
  }

  /// Whether two values are equal; nil equals nil.
  func isEqual(_ left: EvaluatedValue, _ right: EvaluatedValue) -> Bool {
    if let left = left.string, let right = right.string { return text.isEqual(left, right) }
    if let left = left.number, let right = right.number {
      return left.compare(right) == .orderedSame
    }
    return ValueIdentity(left) == ValueIdentity(right)
  }

  /// The order of two values; nil compares only with nil.
  private func order(
    _ left: EvaluatedValue,
    _ right: EvaluatedValue
  ) throws(EvaluationFailure) -> ComparisonResult? {
    if left.isNull || right.isNull { return left.isNull && right.isNull ? .orderedSame : nil }
    if let left = left.string, let right = right.string { return text.order(left, right) }
    if case (.attribute(.date(let left)), .attribute(.date(let right))) = (left, right) {
      return Number.double(left).compare(.double(right))
    }
    if let left = left.number, let right = right.number { return left.compare(right) }
    throw EvaluationFailure("\(left.kind) has no order with \(right.kind)")
  }

  private func isBetween(
    _ value: EvaluatedValue,
    _ ends: EvaluatedValue
  ) throws(EvaluationFailure) -> Bool {
    guard case .collection(let collection) = ends else { return false }
    guard collection.elements.count == 2 else {
      throw EvaluationFailure("BETWEEN needs two values, not \(collection.elements.count)")
    }
    guard
      let low = try order(value, collection.elements[0]),
      let high = try order(value, collection.elements[1])
    else { return false }
    return low != .orderedAscending && high != .orderedDescending
  }

  private func contains(
    _ whole: EvaluatedValue,
    _ part: EvaluatedValue
  ) throws(EvaluationFailure) -> Bool {
    switch whole {
    case .attribute(.null): return false
    case .collection(let collection): return collection.elements.contains { isEqual($0, part) }
    case .attribute(.string(let whole)):
      if part.isNull { return false }
      if let part = part.string { return text.isPart(part, of: whole) }
    case .attribute, .object: break
    }
    throw EvaluationFailure("\(whole.kind) cannot contain \(part.kind)")
  }

  /// Two texts; `nil` if one of them is nil.
  private func strings(
    _ left: EvaluatedValue,
    _ right: EvaluatedValue,
    _ operator: ValuePredicate.Operator
  ) throws(EvaluationFailure) -> (String, String)? {
    if left.isNull || right.isNull { return nil }
    guard let first = left.string, let second = right.string else {
      let other = left.string == nil ? left.kind : right.kind
      throw EvaluationFailure("\(`operator`.text) compares strings, not \(other)")
    }
    return (first, second)
  }
}

extension EvaluatedValue {
  /// The kind of a value, with its article, for messages.
  var kind: String {
    switch self {
    case .attribute(let value): ExpressionType(value).description
    case .object: "an object"
    case .collection: "a collection"
    }
  }
}

/// The identity of values in an expression: numbers by value regardless of kind, text by code unit,
/// objects by identity, collections element by element.
struct ValueIdentity: Hashable {
  private enum Form: Hashable {
    case null
    case integer(Int64)
    case double(Double)
    case text([UInt8])
    case uri([UInt8])
    case other(AttributeValue)
    case object(ObjectIdentity)
    case array([ValueIdentity])
    case set(Set<ValueIdentity>)
  }

  private let form: Form

  init(_ value: EvaluatedValue) {
    switch value {
    case .attribute(let value): form = Self.form(of: value)
    case .object(let object): form = .object(object.identity)
    case .collection(let collection):
      let elements = collection.elements.map { ValueIdentity($0) }
      form = collection.kind == .set ? .set(Set(elements)) : .array(elements)
    }
  }

  private static func form(of value: AttributeValue) -> Form {
    switch value {
    case .null: .null
    case .string(let text): .text(Array(text.utf8))
    case .uri(let text): .uri(Array(text.utf8))
    case .date, .binary, .uuid: .other(value)
    case .boolean, .integer, .double, .decimal: form(of: Number(value))
    }
  }

  private static func form(of number: Number?) -> Form {
    switch number {
    case .integer(let whole)?: .integer(whole)
    // A double and a decimal number are equal if their doubles are, see ``Number/compare(_:)``.
    case .double(let value)?: whole(value)
    case .decimal(let value)?:
      Number.whole(value).map { .integer($0) } ?? whole(Number.double(nearestTo: value))
    case nil: .null
    }
  }

  private static func whole(_ value: Double) -> Form {
    Int64(exactly: value).map { .integer($0) } ?? .double(value)
  }
}
