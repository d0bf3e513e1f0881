public import BulkModel

/// Reads and writes the bytes of transformable attributes, as a subclass of `NSValueTransformer` does.
///
/// It is registered by the name that attributes have as their transformer in the model. nil stays nil, and no
/// transformer is called. An error that it throws is one of the row, as that of an expression that fails.
///
/// A mapping from an attribute with one transformer to an attribute with another passes values of the first to
/// the second, so both must agree on what they are: a text, a number, a date or bytes in a form that both
/// know.
public protocol AttributeTransformer: Sendable {
  /// The value that stored bytes mean: what `reverseTransformedValue:` gives.
  ///
  /// - Parameter bytes: The bytes, as the source has them.
  /// - Returns: The value; `.null` for none.
  /// - Throws: Any error, if the bytes mean none; its description is reported with the row.
  func value(of bytes: [UInt8]) throws -> AttributeValue

  /// The bytes to store for a value: what `transformedValue:` gives.
  ///
  /// - Parameter value: The value, never `.null`.
  /// - Returns: The bytes.
  /// - Throws: Any error, if the value cannot be stored; its description is reported with the row.
  func bytes(of value: AttributeValue) throws -> [UInt8]
}

/// The transformers that a migration may use, by their names.
public struct TransformerRegistry: Sendable {
  private let transformers: NamedPlugIns<any AttributeTransformer>

  /// Registers transformers by name, with or without a module: `Notes.ImageTransformer` or
  /// `ImageTransformer`.
  public init(_ transformers: [String: any AttributeTransformer] = [:]) {
    self.transformers = NamedPlugIns(transformers)
  }

  /// The transformer of a name, found by its full name first, then without the module.
  public func transformer(named name: String) -> (any AttributeTransformer)? {
    transformers.plugIn(named: name)
  }

  /// The names, sorted.
  public var names: [String] { transformers.names }
}

/// Plug-ins of one kind, by the names of their classes.
package struct NamedPlugIns<PlugIn: Sendable>: Sendable {
  private let plugIns: [String: PlugIn]

  package init(_ plugIns: [String: PlugIn]) { self.plugIns = plugIns }

  /// The plug-in of a class, found by its full name first, then without the module.
  package func plugIn(named name: String) -> PlugIn? {
    if let exact = plugIns[name] { return exact }
    let bare = Self.bareName(name)
    if let found = plugIns[bare] { return found }
    // A name without a module matches if only one module has a plug-in of that name.
    let candidates = plugIns.filter { Self.bareName($0.key) == bare }
    return candidates.count == 1 && bare == name ? candidates.first?.value : nil
  }

  /// The names, sorted.
  package var names: [String] { plugIns.keys.sorted() }

  private static func bareName(_ name: String) -> String {
    name.split(separator: ".").last.map(String.init) ?? name
  }
}
