internal import BulkCoding
internal import BulkPlatform

/// Reads the attributes of compiled models.
struct CompiledAttributeReader {
  /// The nesting limit of composite attributes, and the limit of all elements of one.
  private static let compositeDepthLimit = 16
  private static let compositeElementLimit = 10_000

  func attribute(
    _ context: CompiledObject,
    name: String
  ) throws(ModelError) -> AttributeDescription {
    var room = Self.compositeElementLimit
    return try attribute(context, name: name, depth: 0, room: &room)
  }

  private func attribute(
    _ context: CompiledObject,
    name: String,
    depth: Int,
    room: inout Int
  ) throws(ModelError) -> AttributeDescription {
    var result = try plainAttribute(context, name: name)
    guard context.object.isKind(of: "NSCompositeAttributeDescription") else { return result }
    guard depth < Self.compositeDepthLimit else {
      throw context.fault("the composite attribute holds itself, or too many others")
    }
    for object in try context.elements("NSCompositeElements") {
      room -= 1
      guard room >= 0 else {
        throw context.fault("it has more than \(Self.compositeElementLimit) elements")
      }
      let name = object["NSPropertyName"]?.string ?? ""
      let element = context.child(object, "element", name)
      result.elements.append(try attribute(element, name: name, depth: depth + 1, room: &room))
    }
    return result
  }

  private func plainAttribute(
    _ context: CompiledObject,
    name: String
  ) throws(ModelError) -> AttributeDescription {
    let number = try context.integer("NSAttributeType") ?? 0
    guard let type = Int32(exactly: number).flatMap(AttributeType.init) else {
      throw context.fault("the type \(number) is unknown")
    }
    let flags = CompiledAttributeFlags(rawValue: try context.integer("NSFlagsKey") ?? 0)
    var result = AttributeDescription(name, type)
    result.isOptional = try context.flag("NSIsOptional")
    result.isTransient = try context.flag("NSIsTransient")
    result.isReadOnly = try context.flag("NSIsReadOnly")
    result.isIndexed = try context.flag("NSIsIndexed")
    result.isIndexedBySpotlight = try context.flag("NSIndexedBySpotlight")
    result.allowsExternalBinaryDataStorage = flags.contains(.externalStorage)
    result.preservesValueInHistoryOnDeletion = flags.contains(.preservedInHistory)
    result.valueTransformerName = try context.text("NSValueTransformerName")
    let className = try context.text("NSAttributeValueClassName")
    result.attributeValueClassName = className == type.valueClassName ? nil : className
    result.renamingIdentifier = try context.renamingIdentifier(of: name)
    result.versionHashModifier = try context.text("NSVersionHashModifier")
    result.userInfo = try context.userInfo()
    for (key, value) in try context.entries("NSUserInfo")
    where key == UserInfoKey.locationComponents {
      result.locationComponents = (value.elements ?? []).compactMap { $0?.string }
    }
    result.defaultValue = context.object["NSDefaultValue"].flatMap { value($0, of: type) }
    result.derivationExpression = try context.expression("NSDerivationExpression")
    result.filteringPredicate = try context.predicate("NSFilteringPredicate")
    for object in try context.elements("NSValidationPredicates") {
      result.validationPredicates.append(
        try context.predicate(object, of: "NSValidationPredicates")
      )
    }
    return result
  }

  /// A default value, decoded by the attribute's type; archives hold Booleans as integers too.
  ///
  /// The default of a transformable attribute is an object of the application and is ignored.
  private func value(_ object: ArchivedObject, of type: AttributeType) -> AttributeValue? {
    switch type.kind {
    case .integer:
      object.integer.map { .integer($0) }
        ?? object.double.flatMap { Int64(exactly: $0.rounded(.towardZero)) }.map { .integer($0) }
    case .boolean: object.integer.map { .boolean($0 != 0) }
    case .double: object.double.map { .double($0) }
    case .decimal:
      object.decimal.map { .decimal($0) } ?? object.integer.map { .decimal(Decimal($0)) }
        ?? object.double.map { .decimal(Decimal($0)) }
    case .string: object.string.map { .string($0) }
    case .date: object.date.map { .date($0) }
    case .binary: type == .transformable ? nil : object.data.map { .binary($0) }
    case .uuid: object.uuid.map { .uuid($0) }
    case .uri: object.url.map { .uri($0) }
    case nil: nil
    }
  }
}

/// The bits of `NSFlagsKey`.
struct CompiledAttributeFlags: OptionSet {
  let rawValue: Int64
  static let externalStorage = CompiledAttributeFlags(rawValue: 4)
  static let preservedInHistory = CompiledAttributeFlags(rawValue: 16)
}
