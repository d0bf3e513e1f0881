internal import BulkSupport
internal import BulkModel

extension MappingModel {
  /// The mapping in Core Data's terms: composite attributes as a whole, and constants instead of casts of constants, for
  /// which a text has no other form.
  func inCoreDataTerms(between models: ModelPair) -> MappingModel {
    var result = self
    for index in entityMappings.indices {
      result.entityMappings[index].joinComposites(in: models.destination)
      result.entityMappings[index].attributeMappings.castConstants()
      result.entityMappings[index].relationshipMappings.castConstants()
    }
    return result
  }

  /// The content of `xcmapping.xml`, with the paths of the models from the project, or of a `.cdm` without them; of a
  /// mapping in Core Data's terms.
  ///
  /// It throws the entities that Xcode's copies of the models in `xcmapping.xml` cannot hold.
  package func xcodeFile(
    between models: ModelPair,
    at paths: (source: String, destination: String)?
  ) throws(MappingError) -> [UInt8] {
    guard let paths else { return CompiledMappingWriter.archive(of: self, between: models) }
    let copies = [models.source, models.destination].map { EditorModelWriter.archive(of: $0) }
    var errors: [Diagnostic] = []
    for (index, (side, model)) in [("source", models.source), ("destination", models.destination)]
      .enumerated()
    {
      let copy = try? ManagedObjectModel.model(archive: copies[index], path: "the copy")
      let (hashes, copied) = (model.entityVersionHashesByName, copy?.entityVersionHashesByName)
      for name in hashes.keys.sortedByCodeUnit() where hashes[name] != copied?[name] {
        let reason =
          "Xcode's copy of the model in a mapping cannot hold all of it; write a .cdm, which has no copy"
        errors.append(Diagnostic(.error, "\(side) model, entity \(name)", reason))
      }
    }
    guard errors.isEmpty else { throw .invalid(errors) }
    let sides = [(paths.source, copies[0]), (paths.destination, copies[1])]
    return Array(XcodeMappingWriter.xml(of: self, between: models, copies: sides).utf8)
  }
}

extension [PropertyMapping] {
  fileprivate mutating func castConstants() {
    for index in indices {
      self[index].valueExpression = self[index].valueExpression?.replacing { part in
        guard case .predefined(castSelector, let arguments) = part, arguments.count == 2,
          case .constant(let value) = arguments[0],
          case .constant(.string(let name)) = arguments[1], let type = CastType(rawValue: name),
          case .attribute(let result)? = try? type.cast(.attribute(value))
        else { return nil }
        return .constant(result)
      }
    }
  }
}

private let castSelector = "castObject:toType:"

extension EntityMapping {
  /// Replaces the elements of each composite attribute that are copied from those of another by a copy of all of it.
  fileprivate mutating func joinComposites(in model: ManagedObjectModel) {
    guard let entity = model.entity(named: destinationEntityName) else { return }
    let leaves = model.attributes(of: entity).map(\.name)
    for name in Set(leaves.compactMap { $0.split(separator: ".").dropLast().first }).sorted() {
      let parts = attributeMappings.filter { $0.name.hasPrefix("\(name).") }
      let sources = parts.map { part -> String? in
        guard case .keyPath(let path, of: .variable("source"))? = part.valueExpression,
          path.hasSuffix(part.name.dropFirst(name.count))
        else { return nil }
        return String(path.dropLast(part.name.count - name.count))
      }
      guard let path = sources.first ?? nil, sources.allSatisfy({ $0 == path }),
        parts.count == leaves.count(where: { $0.hasPrefix("\(name).") })
      else { continue }
      attributeMappings.removeAll { $0.name.hasPrefix("\(name).") }
      attributeMappings.append(PropertyMapping(String(name), InferredValue.copy(path)))
    }
    attributeMappings.sort { CodeUnitOrder.precedes($0.name, $1.name) }
  }

  /// Reports what Core Data cannot do, with what can be done instead.
  func refuseBeyondCoreData(
    _ draft: EntityMappingDraft?,
    _ text: (ValueCheck.Subject) -> CheckedText
  ) {
    if elements != nil {
      let reason = "Core Data makes one object of each source object; let a policy make the others"
      text(.elements).error("", reason)
    }
    if uniqueness != nil, let draft {
      let reason =
        "Core Data makes an object of each source object; let a policy find the one that was made before"
      let location = draft.unique?.first?.location ?? draft.location
      text(.filter).report.error(location, "\(draft.subject), unique", reason)
    }
    for attribute in draft?.attributes ?? [] where attribute.choice?.entries != nil {
      let reason =
        "Core Data has no tables; write TERNARY(…), or FUNCTION($entityPolicy, …) for a policy"
      text(.attribute(attribute.name)).error("lookup", reason)
    }
    for attribute in attributeMappings where attribute.name.contains(".") {
      let reason =
        "Core Data sets a composite attribute as a whole; give it another composite attribute, or let a policy set it"
      text(.attribute(attribute.name)).error("", reason)
    }
    for (subject, value) in values {
      for part in value.allParts { refuse(part, text(subject)) }
    }
    for part in filter?.children.flatMap(\.allParts) ?? [] {
      if case .function(_, let selector, _) = part {
        let reason =
          "Core Data filters in SQL, which sends no message \(selector); let a policy leave objects out"
        text(.filter).error(selector, reason)
      }
      refuse(part, text(.filter))
    }
  }

  private func refuse(_ part: ValueExpression, _ text: CheckedText) {
    guard case .predefined(let selector, let arguments) = part else { return }
    let name = String(selector.prefix { $0 != ":" })
    if PredefinedFunction.ownNames.contains(name) {
      text.error(
        name,
        "Core Data has no function \(name); let a policy compute it: FUNCTION($entityPolicy, …)"
      )
    }
    if selector == castSelector, case .constant(.string(let type))? = arguments.last,
      [CastType.binary, .uuid, .uri].map(\.rawValue).contains(type)
    {
      let reason =
        "Core Data casts to NSString, NSNumber, NSDate and NSDecimalNumber alone; let a policy convert it"
      text.error(type, reason)
    }
  }
}
