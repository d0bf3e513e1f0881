public import BulkModel

/// Reads and writes the bytes of transformable attributes, as a subclass of `NSValueTransformer` does.
///
/// It is registered by the name that attributes have as their transformer in the model. nil stays nil, and no
/// transformer is called. An error that it throws is one of the row, as that of an expression that fails.
public protocol AttributeTransformer: Sendable {
  /// The value that stored bytes mean, `.null` for none: what `reverseTransformedValue:` gives.
  func value(of bytes: [UInt8]) throws -> AttributeValue

  /// The bytes to store for a value, which is never `.null`: what `transformedValue:` gives.
  func bytes(of value: AttributeValue) throws -> [UInt8]
}

package typealias TransformerRegistry = NamedPlugIns<any AttributeTransformer>

/// Plug-ins of one kind, by the names of their classes.
package struct NamedPlugIns<PlugIn: Sendable>: Sendable {
  /// The plug-ins by the names with which they are registered, with or without a module: `Notes.ImageTransformer` or
  /// `ImageTransformer`.
  package let byName: [String: PlugIn]

  package init(_ byName: [String: PlugIn] = [:]) { self.byName = byName }

  /// The plug-in of a class, found by its full name first, then without the module.
  package func plugIn(named name: String) -> PlugIn? {
    if let exact = byName[name] { return exact }
    let bare = Self.bareName(name)
    if let found = byName[bare] { return found }
    // A name without a module matches if only one module has a plug-in of that name.
    let candidates = byName.filter { Self.bareName($0.key) == bare }
    return candidates.count == 1 && bare == name ? candidates.first?.value : nil
  }

  package var names: [String] { byName.keys.sorted() }

  private static func bareName(_ name: String) -> String {
    name.split(separator: ".").last.map(String.init) ?? name
  }
}

/// A transformer's conversion of a value in an expression.
///
/// It is written as Foundation's message, whose direction depends on the transformer: those of Foundation make a
/// value of an archive by `transformedValue:`, and Core Data gets the bytes from all others by it.
package struct Transformation: Hashable, Sendable {
  enum Direction: Hashable, Sendable {
    /// From stored bytes to a value.
    case reading
    /// From a value to the bytes to store.
    case writing
  }

  static let className = "NSValueTransformer"
  static let naming = "valueTransformerForName:"
  static let selectors = ["transformedValue:", "reverseTransformedValue:"]

  let transformer: TransformerName
  let direction: Direction

  init(_ direction: Direction, by transformer: TransformerName) {
    (self.direction, self.transformer) = (direction, transformer)
  }

  init?(_ selector: String, to transformer: TransformerName) {
    guard let index = Self.selectors.firstIndex(of: selector) else { return nil }
    self.init((index == 0) == transformer.isArchive ? .reading : .writing, by: transformer)
  }

  private var selector: String {
    Self.selectors[(direction == .reading) == transformer.isArchive ? 0 : 1]
  }

  func expression(_ value: ValueExpression) -> ValueExpression {
    let target = ValueExpression.function(
      target: ValueExpression.constant(.string(Self.className)).cast(to: "Class"),
      selector: Self.naming,
      arguments: [.constant(.string(transformer.text))]
    )
    return .function(target: target, selector: selector, arguments: [value])
  }

  /// The name of the transformer that an expression is; `nil` for others, and for a name that is not constant.
  static func name(_ expression: ValueExpression) -> TransformerName? {
    guard
      case .function(let target, naming, let arguments) = expression,
      ExpressionCompiler.className(target) == className,
      case .constant(.string(let name))? = arguments.first, arguments.count == 1
    else { return nil }
    return TransformerName(name)
  }

  /// nil gives nil, and the bytes of the result are counted.
  func value(
    of value: EvaluatedValue,
    by transformers: TransformerRegistry,
    _ memory: MethodMemory
  ) throws(EvaluationFailure) -> EvaluatedValue {
    guard !value.isNull else { return .null }
    guard case .attribute(let given) = value else {
      throw EvaluationFailure("transformer \(transformer.text) takes one value, not \(value.kind)")
    }
    guard let known = transformers.plugIn(named: transformer.text) else {
      throw EvaluationFailure("this program has no transformer \(transformer.text)")
    }
    let result: AttributeValue
    do {
      switch (direction, given) {
      case (.reading, .binary(let bytes)): result = try known.value(of: bytes)
      case (.reading, _):
        throw EvaluationFailure(
          "transformer \(transformer.text): it reads bytes, not \(value.kind)"
        )
      case (.writing, _): result = .binary(try known.bytes(of: given))
      }
    } catch let failure as EvaluationFailure {
      throw failure
    } catch {
      throw EvaluationFailure("transformer \(transformer.text): \(error)")
    }
    try memory.take(result.contentBytes, "transformer \(transformer.text)")
    return .attribute(result)
  }
}

struct TransformerName: Hashable, Sendable {
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

  var isArchive: Bool { Self.archives.contains(text) }

  /// Whether bytes of another transformer have the same form.
  func sharesForm(with other: TransformerName) -> Bool {
    self == other || isArchive && other.isArchive
  }
}

extension AttributeDescription {
  var transformer: TransformerName { TransformerName(valueTransformerName) }
}
