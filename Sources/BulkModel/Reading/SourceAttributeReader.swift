/// Reads `<attribute>` elements of a model's XML.
struct SourceAttributeReader {
  /// The nesting limit of composite attributes, and the limit of all elements of one.
  private static let compositeDepthLimit = 16
  private static let compositeElementLimit = 10_000

  /// The `<composite>` elements of the model, by name.
  private let composites: [String: SourceContext]

  init(model: SourceContext) {
    composites = Dictionary(
      firstOf: model.children("composite").map { ($0.element.attributes["name"] ?? "", $0) }
    )
  }

  func attribute(_ context: SourceContext) throws(ModelError) -> AttributeDescription {
    var room = Self.compositeElementLimit
    return try attribute(context, depth: 0, room: &room)
  }

  private func attribute(
    _ context: SourceContext,
    depth: Int,
    room: inout Int
  ) throws(ModelError) -> AttributeDescription {
    var result = try plainAttribute(context)
    if let name = result.compositeName {
      guard let composite = composites[name] else {
        throw context.fault("the composite type \(name) is not in the model")
      }
      guard depth < Self.compositeDepthLimit else {
        throw context.fault("the composite type \(name) holds itself, or too many others")
      }
      for element in composite.children("attribute") {
        room -= 1
        guard room >= 0 else {
          throw context.fault("it has more than \(Self.compositeElementLimit) elements")
        }
        result.elements.append(try attribute(element, depth: depth + 1, room: &room))
      }
    }
    return result
  }

  private func plainAttribute(_ context: SourceContext) throws(ModelError) -> AttributeDescription {
    let name = try context.required("name")
    var result = AttributeDescription(name, try type(context))
    result.isOptional = try context.flag("optional")
    result.isTransient = try context.flag("transient")
    result.isReadOnly = try context.flag("readOnly")
    result.isIndexed = try context.flag("indexed")
    result.isIndexedBySpotlight = try context.flag("spotlightIndexingEnabled")
    result.allowsExternalBinaryDataStorage = try context.flag("allowsExternalBinaryDataStorage")
    result.preservesValueInHistoryOnDeletion = try context.flag("preserveAfterDeletion")
    result.valueTransformerName = context.element.text("valueTransformerName")
    result.attributeValueClassName = context.element.text("customClassName")
    result.renamingIdentifier = context.renamingIdentifier()
    result.versionHashModifier = context.element.text("versionHashModifier")
    result.userInfo = context.userInfo()
    result.defaultValue = try defaultValue(context, result.attributeType)
    result.validationPredicates = try limits(context, result.attributeType)
      .predicates(of: result.attributeType)
    if result.attributeType == .composite {
      result.compositeName = try context.required("composite")
    }
    if try context.flag("derived") || context.element.text("derivationExpression") != nil {
      result.derivationExpression = try context.expression("derivationExpression")
      result.filteringPredicate = try context.predicate("filteringPredicate")
      // Core Data makes every derived attribute read-only.
      result.isReadOnly = result.derivationExpression != nil
    }
    return result
  }

  /// A missing type means Undefined.
  private func type(_ context: SourceContext) throws(ModelError) -> AttributeType {
    guard let text = context.element.text("attributeType") else { return .undefined }
    guard let type = AttributeType.allCases.first(where: { $0.name == text }) else {
      throw context.fault("the type \(text) is unknown")
    }
    return type
  }

  /// The default of a date is in seconds since 2001-01-01; its text is localized and ignored.
  private func defaultValue(
    _ context: SourceContext,
    _ type: AttributeType
  ) throws(ModelError) -> AttributeValue? {
    if type == .date { return try context.double("defaultDateTimeInterval").map { .date($0) } }
    guard let text = context.element.attributes["defaultValueString"], type.isWritten(as: text)
    else { return nil }
    guard let value = SourceValue.value(text, of: type) else {
      throw context.fault("the default value \(text) is not a valid \(type.name)")
    }
    return value
  }

  /// The limits of a string are lengths; those of a date are in seconds, because their texts are
  /// localized.
  private func limits(
    _ context: SourceContext,
    _ type: AttributeType
  ) throws(ModelError) -> ValidationLimits {
    if type == .date {
      return ValidationLimits(
        least: try context.double("minDateTimeInterval").map { .date($0) },
        greatest: try context.double("maxDateTimeInterval").map { .date($0) }
      )
    }
    guard type == .string || type.isNumber && type != .boolean else { return ValidationLimits() }
    let limited: AttributeType = type == .string ? .integer64 : type
    return ValidationLimits(
      least: try limit(context, "minValueString", limited),
      greatest: try limit(context, "maxValueString", limited),
      pattern: type == .string ? context.element.text("regularExpressionString") : nil
    )
  }

  private func limit(
    _ context: SourceContext,
    _ attribute: String,
    _ type: AttributeType
  ) throws(ModelError) -> AttributeValue? {
    guard let text = context.element.text(attribute) else { return nil }
    guard let value = SourceValue.value(text, of: type) else {
      throw context.fault("\(attribute) is \(text), which is not a valid \(type.name)")
    }
    return value
  }
}

/// The limits of an attribute's values, as an editor stores them.
struct ValidationLimits {
  var least: AttributeValue?
  var greatest: AttributeValue?
  var pattern: String?

  /// The predicates into which Core Data translates the limits.
  ///
  /// A compiled model has `SELF >= 0` for the minimum of a number or a date, `length >= 1` for the minimum
  /// length of a string, and `SELF MATCHES "…"` for its pattern.
  func predicates(of type: AttributeType) -> [ValuePredicate] {
    guard type == .string || type == .date || type.isNumber && type != .boolean else { return [] }
    let subject: ValueExpression =
      type == .string ? .keyPath("length", of: .evaluatedObject) : .evaluatedObject
    let lower = least.map {
      ValuePredicate.Comparison(subject, .greaterThanOrEqualTo, .constant($0))
    }
    let upper = greatest.map {
      ValuePredicate.Comparison(subject, .lessThanOrEqualTo, .constant($0))
    }
    let match = pattern.map {
      ValuePredicate.Comparison(.evaluatedObject, .matches, .constant(.string($0)))
    }
    return [lower, upper, match].compactMap(\.self).map { .comparison($0) }
  }
}
