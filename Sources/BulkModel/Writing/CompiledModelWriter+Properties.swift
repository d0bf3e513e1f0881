internal import BulkCoding

extension CompiledModelWriter {
  /// The keys of any property; false flags and absent values are omitted.
  private mutating func common<Property: PropertyDescription>(
    _ property: Property,
    of entity: PropertyList,
    without unset: CompiledPropertyFlags = [],
    locationComponents: [String] = []
  ) -> [String: PropertyList] {
    var flags = CompiledPropertyFlags.plain.subtracting(unset)
    var entries: [String: PropertyList] = [
      "NSPropertyName": archive.add(property.name),
      "NSRenamingIdentifier": archive.add(property.renamingIdentifier ?? property.name),
      "NSEntity": entity,
    ]
    flags.formUnion(add(Property.settings, of: property, to: &entries))
    if let modifier = property.versionHashModifier {
      entries["NSVersionHashModifier"] = archive.add(modifier)
      flags.remove(.noVersionHashModifier)
    }
    if !property.userInfo.isEmpty || !locationComponents.isEmpty {
      entries["NSUserInfo"] = addUserInfo(property.userInfo, locationComponents)
      flags.remove(.noUserInfo)
    }
    entries["_P"] = .integer(flags.rawValue)
    return entries
  }

  mutating func addAttribute(
    _ attribute: AttributeDescription,
    of entity: PropertyList
  ) -> CompiledContent {
    let isUnchecked = attribute.validationPredicates.isEmpty
    var entries = common(
      attribute,
      of: entity,
      without: isUnchecked ? [] : [.noValidationPredicates, .noValidationWarnings],
      locationComponents: attribute.locationComponents
    )
    addValues(of: attribute, to: &entries)
    guard let expression = attribute.derivationExpression else {
      guard attribute.attributeType == .composite else { return (.attribute, entries) }
      entries["NSCompositeElements"] = addElements(of: attribute, entity)
      return (.compositeAttribute, entries)
    }
    entries["NSDerivationExpression"] = archive.add(expression)
    entries["NSFilteringPredicate"] =
      attribute.filteringPredicate.map { archive.add($0) } ?? KeyedArchiveWriter.null
    return (.derivedAttribute, entries)
  }

  private mutating func addValues(
    of attribute: AttributeDescription,
    to entries: inout [String: PropertyList]
  ) {
    var flags: CompiledAttributeFlags = []
    if attribute.allowsExternalBinaryDataStorage { flags.insert(.externalStorage) }
    if attribute.preservesValueInHistoryOnDeletion { flags.insert(.preservedInHistory) }
    entries["NSFlagsKey"] = .integer(flags.rawValue)
    entries["NSAttributeType"] = .integer(Int64(attribute.attributeType.rawValue))
    entries["NSAttributeValueClassName"] = archive.add(
      attribute.attributeValueClassName ?? attribute.attributeType.valueClassName
    )
    entries["NSValueTransformerName"] = archive.add(attribute.valueTransformerName)
    entries["NSDefaultValue"] =
      attribute.defaultValue.map { archive.add(value: $0) } ?? KeyedArchiveWriter.null
    guard !attribute.validationPredicates.isEmpty else { return }
    entries["NSValidationPredicates"] = archive.add(
      attribute.validationPredicates.map { archive.add($0) },
      class: .mutableArray
    )
    entries["NSValidationWarnings"] = archive.add(
      attribute.validationPredicates.map { predicate in
        archive.add(.integer(ValidationWarning.number(of: predicate, attribute.attributeType)))
      },
      class: .mutableArray
    )
  }

  private mutating func addElements(
    of attribute: AttributeDescription,
    _ entity: PropertyList
  ) -> PropertyList {
    var elements: [PropertyList] = []
    for element in attribute.elements {
      let content = addAttribute(element, of: entity)
      elements.append(archive.add(class: content.chain, content.entries))
    }
    return archive.add(elements, class: .mutableArray)
  }

  mutating func addRelationship(
    _ relationship: RelationshipDescription,
    of entity: PropertyList
  ) -> CompiledContent {
    var entries = common(relationship, of: entity)
    let destination = relationship.destinationEntityName
    entries["NSDestinationEntity"] = reference(toEntity: destination)
    entries["_NSDestinationEntityName"] = archive.add(destination)
    entries["NSInverseRelationship"] =
      relationship.inverseName.flatMap { properties[destination]?[$0] } ?? KeyedArchiveWriter.null
    entries["_NSInverseRelationshipName"] = archive.add(relationship.inverseName)
    entries["NSDeleteRule"] = .integer(relationship.deleteRule.rawValue)
    return (.relationship, entries)
  }

  mutating func addFetchedProperty(
    _ property: FetchedPropertyDescription,
    of entity: PropertyList
  ) -> CompiledContent {
    var entries = common(property, of: entity)
    entries["NSFetchRequest"] = addFetchRequest(property.fetchRequest)
    entries["_NSFetchRequestEntityName"] = archive.add(property.fetchRequest.entityName)
    return (.fetchedProperty, entries)
  }
}

extension KeyedArchiveWriter.ClassChain {
  private static let property = "NSPropertyDescription"
  private static let attributeName = "NSAttributeDescription"
  fileprivate static let attribute = Self(attributeName, property)
  fileprivate static let derivedAttribute = Self(
    "NSDerivedAttributeDescription",
    attributeName,
    property
  )
  fileprivate static let compositeAttribute = Self(
    "NSCompositeAttributeDescription",
    attributeName,
    property
  )
  fileprivate static let relationship = Self("NSRelationshipDescription", property)
  fileprivate static let fetchedProperty = Self("NSFetchedPropertyDescription", property)
}

/// The error numbers in a compiled model that accompany its validation predicates
/// (`NSValidationNumberTooSmallError` and so on, CoreDataErrors.h).
enum ValidationWarning {
  private static let general: Int64 = 1550
  private static let numberTooLarge: Int64 = 1610
  private static let numberTooSmall: Int64 = 1620
  private static let dateTooLate: Int64 = 1630
  private static let dateTooSoon: Int64 = 1640
  private static let stringTooLong: Int64 = 1660
  private static let stringTooShort: Int64 = 1670
  private static let stringPatternMatching: Int64 = 1680

  /// The error number for a predicate on values of a type.
  static func number(of predicate: ValuePredicate, _ type: AttributeType) -> Int64 {
    guard case .comparison(let comparison) = predicate else { return general }
    switch comparison.operator {
    case .matches: return type == .string ? stringPatternMatching : general
    case .greaterThanOrEqualTo:
      if type == .string { return stringTooShort }
      return type == .date ? dateTooSoon : numberTooSmall
    case .lessThanOrEqualTo:
      if type == .string { return stringTooLong }
      return type == .date ? dateTooLate : numberTooLarge
    case .lessThan, .greaterThan, .equalTo, .notEqualTo, .like, .beginsWith, .endsWith, .in,
      .contains, .between:
      return general
    }
  }
}
