internal import BulkSupport
internal import BulkModel

/// The keys of a `.cdm`, in the order in which Core Data archives them (formats/mapping-models.md 6).
enum CompiledMappingKey: String, CaseIterable {
  case mappings = "NSEntityMappings"
  case mappingsByName = "NSEntityMappingsByName"
  case name = "NSMappingName"
  case type = "NSMappingType"
  case source = "NSSourceEntityName"
  case destination = "NSDestinationEntityName"
  case sourceHash = "NSSourceEntityVersionHash"
  case destinationHash = "NSDestinationEntityVersionHash"
  case sourceExpression = "NSSourceExpression"
  case policy = "NSEntityMigrationPolicyClassName"
  case attributes = "NSAttributeMappings"
  case relationships = "NSRelationshipMappings"
  case property = "NSDestinationPropertyName"
  case value = "NSValueExpression"
  case transforms = "NSPropertyTransforms"
  case userInfo = "NSUserInfo"
}

extension ArchivedObject {
  fileprivate subscript(key: CompiledMappingKey) -> ArchivedObject? { self[key.rawValue] }
}

/// Reads a `.cdm`: an archive of `NSMappingModel`.
enum CompiledMappingReader {
  static func read(_ bytes: [UInt8], into result: inout XcodeMapping) {
    do throws(CodingError) {
      let root = try KeyedArchive(bytes).root
      guard let root, root.isKind(of: "NSMappingModel") else {
        let found = root?.className.map { "a \($0)" } ?? "no object"
        return result.fault(nil, "", "its archive holds \(found), not an NSMappingModel")
      }
      guard let mappings = root[.mappings]?.elements else {
        return result.fault(nil, "", "its NSEntityMappings are missing")
      }
      for case let mapping? in mappings {
        if let draft = entityMapping(mapping, &result), !result.add(draft) { return }
      }
    } catch {
      result.fault(nil, "", "it is not a compiled mapping model: \(error)")
    }
  }

  private static func text(_ key: CompiledMappingKey, of object: ArchivedObject) -> String? {
    object[key]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func entityMapping(
    _ object: ArchivedObject,
    _ result: inout XcodeMapping
  ) -> EntityMappingDraft? {
    let draft = result.draft(
      nil,
      name: text(.name, of: object),
      source: text(.source, of: object),
      destination: text(.destination, of: object),
      policy: text(.policy, of: object)
    )
    guard var draft else { return nil }
    draft.sourceHash = object[.sourceHash]?.data.flatMap(VersionHash.init)
    draft.destinationHash = object[.destinationHash]?.data.flatMap(VersionHash.init)
    draft.kind = kind(of: object, draft, result)
    let subject = draft.subject
    draft.userInfo = result.userInfo(object[.userInfo], subject)
    if let source = object[.sourceExpression],
      let expression = result.expression(
        nil,
        "\(subject), source expression",
        archived: { try ValueExpression(archived: source) }
      )
    {
      result.take(expression, into: &draft, nil)
    }
    draft.attributes = properties(object[.attributes], "\(subject), attribute", &result)
    draft.relationships = properties(
      object[.relationships],
      "\(subject), relationship",
      &result
    )
    return draft
  }

  /// The type, unless it is undefined or contradicts the rest of the mapping.
  private static func kind(
    of object: ArchivedObject,
    _ draft: EntityMappingDraft,
    _ result: XcodeMapping
  ) -> EntityMapping.Kind? {
    guard let number = object[.type]?.integer, number != 0 else { return nil }
    guard let kind = EntityMapping.Kind(rawValue: number) else {
      result.fault(nil, draft.subject, "its type \(number) is unknown")
      return nil
    }
    // A custom mapping without a policy class uses Core Data's default policy.
    return kind == .custom && draft.policy == nil ? nil : kind
  }

  private static func properties(
    _ object: ArchivedObject?,
    _ subject: String,
    _ result: inout XcodeMapping
  ) -> [PropertyMappingDraft] {
    var drafts: [PropertyMappingDraft] = []
    for case let property? in object?.elements ?? [] {
      guard let name = text(.property, of: property) else { continue }
      var draft = PropertyMappingDraft(name: name, location: result.location(nil))
      let subject = "\(subject) \(name)"
      draft.userInfo = result.userInfo(property[.userInfo], subject)
      draft.value = .nothing
      if let archived = property[.value] {
        let value = result.expression(nil, subject) { try ValueExpression(archived: archived) }
        draft.value = value.map { .expression($0) } ?? .faulty
      }
      drafts.append(draft)
    }
    return drafts
  }
}
