internal import BulkCoding
internal import BulkModel

/// Reads a `.cdm`: an archive of `NSMappingModel`.
///
/// Keys: formats/mapping-models.md 6.
struct CompiledMappingReader {
  private var result = XcodeMapping()
  private var expressions = CanonicalExpressions()

  static func mapping(in bytes: [UInt8]) -> XcodeMapping {
    var reader = CompiledMappingReader()
    do throws(CodingError) {
      let root = try KeyedArchive(bytes).root
      if let root, root.isKind(of: "NSMappingModel") {
        reader.read(root)
      } else {
        let found = root?.className.map { "a \($0)" } ?? "no object"
        reader.fault("", "its archive holds \(found), not an NSMappingModel")
      }
    } catch {
      reader.fault("", "it is not a compiled mapping model: \(error)")
    }
    return reader.result
  }

  private mutating func fault(_ subject: String, _ reason: String) {
    result.faults.append(DraftFault(.none, subject, reason))
  }

  private mutating func read(_ root: ArchivedObject) {
    guard let mappings = root["NSEntityMappings"]?.elements else {
      return fault("", "its NSEntityMappings are missing")
    }
    for case let mapping? in mappings {
      entity(mapping)
      if let fault = result.limitFault { return result.faults.append(fault) }
    }
  }

  private func name(_ key: String, of object: ArchivedObject) -> PlacedName? {
    guard let text = object[key]?.string, !text.isEmpty else { return nil }
    return PlacedName(text: text, place: .none)
  }

  private mutating func entity(_ object: ArchivedObject) {
    var draft = EntityMappingDraft(place: .none)
    draft.name = name("NSMappingName", of: object)
    draft.source = name("NSSourceEntityName", of: object)
    draft.destination = name("NSDestinationEntityName", of: object)
    guard !draft.isLeftOver else { return result.warnings.append(draft.leftOverWarning) }
    draft.policy = name("NSEntityMigrationPolicyClassName", of: object)
    draft.sourceHash = object["NSSourceEntityVersionHash"]?.data.flatMap(VersionHash.init)
    draft.destinationHash = object["NSDestinationEntityVersionHash"]?.data.flatMap(VersionHash.init)
    draft.kind = kind(of: object, draft)
    draft.userInfo = userInfo(of: object, draft.subject)
    if let source = object["NSSourceExpression"],
      let expression = expression(source, draft.subject + ", source expression")
    {
      if let fetch = SourceFetch(expression, of: draft.source?.text) {
        draft.filter = fetch.filter
      } else {
        fault(draft.subject, "it reads its objects by \(expression), which is not a plain fetch")
      }
    }
    draft.attributes = properties("NSAttributeMappings", of: object, draft.subject + ", attribute")
    draft.relationships = properties(
      "NSRelationshipMappings",
      of: object,
      draft.subject + ", relationship"
    )
    result.drafts.append(draft)
  }

  /// The type, unless it is undefined or contradicts the rest of the mapping.
  private mutating func kind(
    of object: ArchivedObject,
    _ draft: EntityMappingDraft
  ) -> EntityMapping.Kind? {
    guard let number = object["NSMappingType"]?.integer, number != 0 else { return nil }
    guard let kind = EntityMapping.Kind(rawValue: number) else {
      fault(draft.subject, "its type \(number) is unknown")
      return nil
    }
    // A custom mapping without a policy class uses Core Data's default policy.
    return kind == .custom && draft.policy == nil ? nil : kind
  }

  private mutating func properties(
    _ key: String,
    of object: ArchivedObject,
    _ subject: String
  ) -> [PropertyMappingDraft] {
    var drafts: [PropertyMappingDraft] = []
    for case let property? in object[key]?.elements ?? [] {
      guard let name = name("NSDestinationPropertyName", of: property)?.text else { continue }
      var draft = PropertyMappingDraft(name: name, place: .none)
      draft.userInfo = userInfo(of: property, "\(subject) \(name)")
      if let archived = property["NSValueExpression"] {
        let value = expression(archived, "\(subject) \(name)")
        draft.value = value.map { .expression($0) } ?? .faulty
      } else {
        draft.value = .nothing
      }
      drafts.append(draft)
    }
    return drafts
  }

  private mutating func expression(
    _ object: ArchivedObject,
    _ subject: String
  ) -> ValueExpression? {
    guard !expressions.isFull else { return nil }
    do {
      return try expressions.canonical(try ValueExpression(archived: object))
    } catch let refusal as CanonicalExpressions.Refusal {
      fault(subject, refusal.reason)
    } catch {
      fault(subject, "\(error)")
    }
    return nil
  }

  private mutating func userInfo(
    of object: ArchivedObject,
    _ subject: String
  ) -> [String: AttributeValue] {
    guard let info = object["NSUserInfo"]?.userInfo else { return [:] }
    result.warnings += info.ignored.map {
      "\(subject): the entry \($0) of its user info is ignored"
    }
    return info.values
  }
}
