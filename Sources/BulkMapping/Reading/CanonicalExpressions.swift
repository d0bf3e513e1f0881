internal import BulkModel

/// Converts archived expressions to the form that their texts parse to, in which each expression has only
/// one representation.
///
/// Archives may share objects, so a short file may describe an enormous expression; therefore the size of the
/// texts is limited.
struct CanonicalExpressions {
  /// The limit of all expression texts of a mapping, in bytes.
  static let textLimit = 16 * 1024 * 1024

  private var textSize = 0

  var isFull: Bool { textSize > Self.textLimit }

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

  struct Refusal: Error {
    let reason: String
  }
}

extension ValuePredicate {
  /// `nil` if every object satisfies the predicate.
  var asFilter: ValuePredicate? { self == .constant(true) ? nil : self }
}

/// The parsed expression by which an entity mapping fetches its source objects.
///
/// Xcode writes a fetch of all objects, with the filter as text (formats/mapping-models.md 3.4).
struct SourceFetch {
  /// The filter; `nil` for all objects.
  let filter: ValuePredicate?

  /// A fetch of the objects of an entity; `nil` for any other expression.
  init?(_ expression: ValueExpression, of entity: String?) {
    guard
      case .fetch(let request, _, countOnly: false) = expression,
      case .function(
        target: .variable("manager"),
        ManagerSelector.fetchRequest.rawValue,
        let arguments
      ) = request,
      arguments.count == 2,
      case .constant(.string(let name)) = arguments[0], name == entity,
      case .constant(.string(let text)) = arguments[1],
      let predicate = try? ValuePredicate(format: text)
    else { return nil }
    filter = predicate.asFilter
  }
}
