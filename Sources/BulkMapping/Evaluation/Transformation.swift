internal import BulkModel

/// What a transformer does with a value in an expression.
///
/// It is written as Foundation's message, whose direction depends on the transformer: those of Foundation make a
/// value of an archive by `transformedValue:`, and Core Data gets the bytes from all others by it.
package struct Transformation: Hashable, Sendable {
  /// The direction.
  enum Direction: Hashable, Sendable {
    /// From stored bytes to a value.
    case reading
    /// From a value to the bytes to store.
    case writing
  }

  /// The class, and the selector that gives one of its transformers.
  static let className = "NSValueTransformer"
  static let naming = "valueTransformerForName:"
  /// The selectors of a transformer.
  static let selectors = ["transformedValue:", "reverseTransformedValue:"]

  /// The transformer.
  let transformer: TransformerName
  /// The direction.
  let direction: Direction

  init(_ direction: Direction, by transformer: TransformerName) {
    (self.direction, self.transformer) = (direction, transformer)
  }

  /// The meaning of a message; `nil` for other messages.
  init?(_ selector: String, to transformer: TransformerName) {
    guard let place = Self.selectors.firstIndex(of: selector) else { return nil }
    self.init((place == 0) == transformer.isArchive ? .reading : .writing, by: transformer)
  }

  private var selector: String {
    Self.selectors[(direction == .reading) == transformer.isArchive ? 0 : 1]
  }

  /// The transformation of a value, as an expression.
  func expression(_ value: ValueExpression) -> ValueExpression {
    let kind = ValueExpression.predefined(
      selector: "castObject:toType:",
      arguments: [.constant(.string(Self.className)), .constant(.string("Class"))]
    )
    let target = ValueExpression.function(
      target: kind,
      selector: Self.naming,
      arguments: [.constant(.string(transformer.text))]
    )
    return .function(target: target, selector: selector, arguments: [value])
  }

  /// The name of the transformer that an expression is; `nil` for other expressions, and for names that are not
  /// constant.
  static func name(_ expression: ValueExpression) -> TransformerName? {
    guard
      case .function(let target, naming, let arguments) = expression,
      ExpressionCompiler.className(target) == className,
      case .constant(.string(let name))? = arguments.first, arguments.count == 1
    else { return nil }
    return TransformerName(name)
  }

  /// The value that a transformer gives.
  ///
  /// - Parameters:
  ///   - value: The value; nil gives nil.
  ///   - transformers: The transformers of the program.
  ///   - memory: Counts the bytes of the result.
  /// - Returns: The value, or bytes.
  /// - Throws: ``EvaluationFailure`` with what the transformer says.
  func value(
    of value: EvaluatedValue,
    by transformers: TransformerRegistry,
    _ memory: MethodMemory
  ) throws(EvaluationFailure) -> EvaluatedValue {
    guard !value.isNull else { return .null }
    guard case .attribute(let given) = value else {
      throw EvaluationFailure("transformer \(transformer.text) takes one value, not \(value.kind)")
    }
    guard let known = transformers.transformer(named: transformer.text) else {
      throw EvaluationFailure("this program has no transformer \(transformer.text)")
    }
    let result = try result(of: given, by: known)
    try memory.take(result.contentBytes, "transformer \(transformer.text)")
    return .attribute(result)
  }

  private func result(
    of given: AttributeValue,
    by known: any AttributeTransformer
  ) throws(EvaluationFailure) -> AttributeValue {
    do {
      switch direction {
      case .reading:
        guard case .binary(let bytes) = given else {
          let kind = EvaluatedValue.attribute(given).kind
          throw EvaluationFailure("it reads bytes, not \(kind)")
        }
        return try known.value(of: bytes)
      case .writing: return .binary(try known.bytes(of: given))
      }
    } catch let failure as EvaluationFailure {
      throw EvaluationFailure("transformer \(transformer.text): \(failure.message)")
    } catch {
      throw EvaluationFailure("transformer \(transformer.text): \(error)")
    }
  }
}

/// The name of a transformer in a model.
package struct TransformerName: Hashable, Sendable {
  /// The transformer of attributes that name none.
  ///
  /// Source: `NSSecureUnarchiveFromDataTransformerName`.
  private static let standard = "NSSecureUnarchiveFromData"
  /// The names by which Foundation's own transformers are found, and their classes.
  private static let archives: Set<String> = [
    standard, "NSSecureUnarchiveFromDataTransformer", "NSKeyedUnarchiveFromData",
  ]

  /// The name; that of the standard one where the model has none.
  package let text: String

  init(_ name: String?) { text = name.flatMap { $0.isEmpty ? nil : $0 } ?? Self.standard }

  /// Whether the bytes are an archive of Foundation's.
  var isArchive: Bool { Self.archives.contains(text) }

  /// Whether bytes of another transformer have the same form.
  func sharesForm(with other: TransformerName) -> Bool {
    self == other || isArchive && other.isArchive
  }
}

extension AttributeDescription {
  /// The transformer of a transformable attribute.
  var transformer: TransformerName { TransformerName(valueTransformerName) }
}
