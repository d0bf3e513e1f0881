internal import BulkSupport

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
        archive.add(.integer(predicate.validationWarning(for: attribute.attributeType)))
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
  private static let name = "NSAttributeDescription"
  fileprivate static let attribute = Self(name, property)
  fileprivate static let derivedAttribute = Self("NSDerivedAttributeDescription", name, property)
  fileprivate static let compositeAttribute = Self(
    "NSCompositeAttributeDescription",
    name,
    property
  )
  fileprivate static let relationship = Self("NSRelationshipDescription", property)
  fileprivate static let fetchedProperty = Self("NSFetchedPropertyDescription", property)
}

extension ValuePredicate {
  /// The error number in a compiled model that accompanies a validation predicate on values of a type
  /// (`NSValidationNumberTooSmallError` and so on, CoreDataErrors.h).
  fileprivate func validationWarning(for type: AttributeType) -> Int64 {
    let general: Int64 = 1550
    guard case .comparison(let comparison) = self else { return general }
    return switch (comparison.operator, type) {
    case (.lessThanOrEqualTo, .date): 1630
    case (.lessThanOrEqualTo, .string): 1660
    case (.lessThanOrEqualTo, _): 1610
    case (.greaterThanOrEqualTo, .date): 1640
    case (.greaterThanOrEqualTo, .string): 1670
    case (.greaterThanOrEqualTo, _): 1620
    case (.matches, .string): 1680
    default: general
    }
  }
}
