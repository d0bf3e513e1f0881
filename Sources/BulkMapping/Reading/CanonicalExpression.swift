internal import BulkModel

/// Brings archived expressions into the form in which their own texts read: what archives can say in
/// two ways becomes one.
///
/// Archives may use one object at many places, so a short file may describe expressions without end;
/// therefore their texts are counted.
struct CanonicalExpressions {
  /// The most text of all expressions of a mapping, in bytes.
  static let textLimit = 16 * 1024 * 1024

  private var textSize = 0

  /// Whether expressions are too many to read on.
  var isFull: Bool { textSize > Self.textLimit }

  /// The expression as its text reads, or why there is none.
  mutating func canonical(_ value: ValueExpression) throws(Refusal) -> ValueExpression {
    let text = value.description
    textSize += text.utf8.count
    guard !isFull else {
      throw Refusal(reason: "the expressions of the mapping have more than \(Self.textLimit) bytes")
    }
    guard let canonical = try? ValueExpression(format: text) else {
      throw Refusal(reason: "its expression cannot be said in text: \(text)")
    }
    return canonical
  }

  /// Why an expression has no canonical form.
  struct Refusal: Error {
    let reason: String
  }
}

extension ValuePredicate {
  /// Nothing, where every object satisfies the predicate.
  var asFilter: ValuePredicate? { self == .constant(true) ? nil : self }
}
