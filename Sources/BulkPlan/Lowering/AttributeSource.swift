internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Where the objects of one pair take the value of an attribute from.
struct AttributeSource: Sendable {
  /// The value.
  let expression: ColumnExpression
  /// Whether it continues nothing that the source has.
  let isNew: Bool

  init(
    _ attribute: AttributeDescription,
    path: [String],
    pair: EntityPair,
    source: StoreSchema
  ) {
    let initial = path.isEmpty ? ColumnExpression.defaultValue(of: attribute) : .null
    guard
      let meaning = Self.meaning(of: attribute, pair: pair, source: source),
      let found = Self.column(of: meaning.name, path: path, pair: pair, source: source)
    else {
      expression = initial
      isNew = true
      return
    }
    let value = found.value(storedAs: attribute)
    expression =
      meaning.mayUseDefault && initial != .null ? .firstNonNull(value, initial) : value
    isNew = false
  }

  /// The source attribute's name, and whether the default value takes the place of nil.
  private static func meaning(
    of attribute: AttributeDescription,
    pair: EntityPair,
    source: StoreSchema
  ) -> (name: String, mayUseDefault: Bool)? {
    // Core Data computes a derived attribute; the value that is there is right as long as it is
    // computed in the same way.
    if attribute.isDerived {
      return source.model.attributes(of: pair.source)
        .first {
          $0.name == attribute.name && $0.derivationExpression == attribute.derivationExpression
        }
        .map { ($0.name, false) }
    }
    guard
      let expression = pair.mapping.attributeMappings
        .first(where: { $0.name == attribute.name })?.valueExpression,
      let meaning = InferredMeaning(expression)
    else { return nil }
    switch meaning {
    case .copy(let name): return (name, false)
    case .copyOrDefault(let name): return (name, true)
    case .relationship: return nil
    }
  }

  /// A column of the source with the attribute that it holds.
  private struct Found {
    let column: String
    let attribute: AttributeDescription

    /// The column's value in the form in which the destination's attribute stores it.
    func value(storedAs other: AttributeDescription) -> ColumnExpression {
      // A value that may lie in an external file is preceded by a byte that says where it lies.
      let isPrefixed = attribute.allowsExternalBinaryDataStorage
      switch (isPrefixed, other.allowsExternalBinaryDataStorage) {
      case (false, true): return .prefixed(.column(column))
      case (true, false): return .unprefixed(.column(column))
      case (false, false), (true, true): return .column(column)
      }
    }
  }

  private static func column(
    of name: String,
    path: [String],
    pair: EntityPair,
    source: StoreSchema
  ) -> Found? {
    for owner in source.model.lineage(of: pair.source) {
      guard let attribute = owner.attributes.first(where: { $0.name == name }) else { continue }
      let role = SchemaColumn.Role.attribute(PropertyKey(owner.name, name), element: path)
      return source.column(role).map { Found(column: $0, attribute: attribute) }
    }
    return nil
  }
}
