internal import BulkSupport

extension CompiledModelWriter {
  /// A fetch request with the settings that a model does not specify at their defaults; the flags 30 occur in
  /// every request in the caches of real stores.
  mutating func addFetchRequest(_ request: FetchRequestDescription) -> PropertyList {
    archive.add(
      class: .init("NSFetchRequest", "NSPersistentStoreRequest"),
      [
        "NSEntity": reference(toEntity: request.entityName),
        "NSPredicate": request.predicate.map { archive.add($0) } ?? KeyedArchiveWriter.null,
        "NSFetchLimit": .integer(request.fetchLimit),
        "NSFetchOffset": .integer(0),
        "NSBatchSize": .integer(0),
        "NSResultType": .integer(0),
        "NSAllocationType": .integer(0),
        "NSFetchRequestFlags": .integer(30),
        "NSHasFetchRequestFlags": .boolean(true),
        "NSSortDescriptors": KeyedArchiveWriter.null,
        "NSHavingPredicate": KeyedArchiveWriter.null,
        "NSValuesToFetch": KeyedArchiveWriter.null,
        "NSValuesToGroupBy": KeyedArchiveWriter.null,
        "NSRelationshipKeyPathsForPrefetching": KeyedArchiveWriter.null,
      ]
    )
  }

  mutating func addFetchIndex(
    _ index: FetchIndexDescription,
    of entity: PropertyList
  ) -> PropertyList {
    let reference = archive.reserve()
    let elements = index.elements.enumerated()
      .map { addIndexElement($0.element, number: $0.offset + 1, of: reference) }
    archive.set(
      reference,
      class: .init("NSFetchIndexDescription"),
      [
        "NSIndexName": archive.add(index.name),
        "NSEntity": entity,
        "NSIndexElements": archive.add(elements, class: .mutableArray),
        "NSPartialIndexPredicate": index.partialIndexPredicate.map { archive.add($0) }
          ?? KeyedArchiveWriter.null,
      ]
    )
    return reference
  }

  private mutating func addIndexElement(
    _ element: FetchIndexDescription.Element,
    number: Int,
    of index: PropertyList
  ) -> PropertyList {
    var entries: [String: PropertyList] = [
      "NSFetchIndexElementType": .integer(element.kind.rawValue),
      "NSAscending": .boolean(element.isAscending),
      "NSFetchIndexDescription": index,
    ]
    switch element.subject {
    case .property(let name): entries["NSPropertyName"] = archive.add(name)
    case .expression(let expression):
      let name = archive.add("expression\(number)")
      entries["NSPropertyName"] = name
      entries["NSIndexedProperty"] = addIndexedExpression(expression, name: name)
    }
    return archive.add(class: .init("NSFetchIndexElementDescription"), entries)
  }

  /// An expression in an index is stored as a property without entity; `self` has the type Object ID.
  private mutating func addIndexedExpression(
    _ expression: ValueExpression,
    name: PropertyList
  ) -> PropertyList {
    let flags: CompiledPropertyFlags = [.plain, .optional, .readOnly]
    let type: AttributeType = expression == .evaluatedObject ? .objectID : .undefined
    return archive.add(
      class: .init("NSExpressionDescription", "NSPropertyDescription"),
      [
        "NSPropertyName": name,
        "NSRenamingIdentifier": name,
        "NSEntity": KeyedArchiveWriter.null,
        "NSExpression": archive.add(expression),
        "NSExpressionType": .integer(Int64(type.rawValue)),
        "NSIsOptional": .boolean(true),
        "NSIsReadOnly": .boolean(true),
        "_P": .integer(flags.rawValue),
      ]
    )
  }
}
