internal import BulkSupport
internal import BulkMapping
internal import BulkModel

/// What a policy's program answers for one object, carried out by the manager.
///
/// ```text
/// null, true                                    the object that the mapping describes
/// false, []                                     none
/// {"reject": "why"}                             the object is left out
/// {"set": {"width": 3}, "to": {"note": …}}      the mapping's object, changed
/// {"entity": "Address", "set": {…}}             an object of another entity
/// {"entity": "Tag", "find": {"name": "red"}}    the object with these values, made once
/// [{…}, {…}]                                    several
/// ```
struct ProgramAnswer {
  private static let names: Set<String> = ["reject", "set", "to", "entity", "find"]

  let mapping: EntityMapping
  let manager: MigrationManager

  func make(_ answer: JSONValue?, forSource source: borrowing SourceInstance) throws {
    switch answer?.content {
    case nil, .null, .boolean(true):
      try manager.insert(
        manager.evaluate(mapping, forSource: source),
        forSource: source,
        in: mapping
      )
    case .boolean(false): break
    case .array(let answers):
      for answer in answers { try makeOne(answer, forSource: source) }
    default: try answer.map { try makeOne($0, forSource: source) }
    }
  }

  private func makeOne(_ answer: JSONValue, forSource source: borrowing SourceInstance) throws {
    try Self.refuseOthers(answer)
    if let reason = answer["reject"] {
      guard let text = reason.string, answer.members?.count == 1 else {
        throw PolicyError("\"reject\" is a text, and stands alone")
      }
      throw RejectedObject(reason: text)
    }
    if answer["find"] != nil {
      let found = try object(answer)
      try manager.associate(sourceInstance: source, withDestinationInstance: found, for: mapping)
      return
    }
    var instance =
      try answer["entity"].map { try manager.makeInstance(ofEntity: $0.text(of: "entity")) }
      ?? manager.evaluate(mapping, forSource: source)
    try fill(&instance, answer)
    try manager.insert(instance, forSource: source, in: mapping)
  }

  func makeWithoutSource(_ answer: JSONValue) throws {
    for answer in try answer.elements(of: "objects") { _ = try object(answer) }
  }

  func relate(_ answer: JSONValue, of object: ObjectID) throws {
    if case .null = answer.content { return }
    try Self.refuseOthers(answer)
    guard answer.members?.count == 1, let relationships = answer["to"]?.members else {
      throw PolicyError("the answer of createRelationships is null, or has \"to\" alone")
    }
    for member in relationships {
      try manager.setObjects(try objects(member.value), for: member.name, of: object)
    }
  }

  func objects(_ answer: JSONValue) throws -> [ObjectID] {
    switch answer.content {
    case .null: []
    case .array(let elements): try elements.flatMap { try objects($0) }
    default: try named(answer)
    }
  }

  /// The objects of other mappings, or a known object: `{"mapping": "AToB", "sources": [1, 2]}`, `{"entity": "B", "key": 3}`.
  private func named(_ answer: JSONValue) throws -> [ObjectID] {
    if let name = answer["mapping"], case .array(let keys) = answer["sources"]?.content {
      return try manager.destinationInstances(
        forEntityMappingNamed: name.text(of: "mapping"),
        sourceKeys: keys.map { try Self.key($0) }
      )
    }
    guard let entity = answer["entity"], let key = answer["key"], answer.members?.count == 2 else {
      throw PolicyError(
        "\(PolicyValue.shown(answer)) names no object: one is named by \"mapping\" and \"sources\", or by \"entity\" and "
          + "\"key\""
      )
    }
    return [ObjectID(entityName: try entity.text(of: "entity"), key: try Self.key(key))]
  }

  private func object(_ answer: JSONValue) throws -> ObjectID {
    try Self.refuseOthers(answer)
    guard let entity = answer["entity"], answer["reject"] == nil else {
      throw PolicyError("an object that is found or created beside the mapping's has an \"entity\"")
    }
    let name = try entity.text(of: "entity")
    guard let find = answer["find"] else {
      var instance = try manager.makeInstance(ofEntity: name)
      try fill(&instance, answer)
      return try manager.insert(instance)
    }
    var values: [String: AttributeValue] = [:]
    for member in try find.members(of: "find") {
      values[member.name] = try value(member, of: name)
    }
    return try manager.findOrInsert(name, with: values) { try fill(&$0, answer) }
  }

  private func fill(_ instance: inout DestinationInstance, _ answer: JSONValue) throws {
    for member in try answer["set"]?.members(of: "set") ?? [] {
      let value = try value(member, of: instance.entityName)
      try instance.setValue(value == .null ? nil : value, forKey: member.name)
    }
    for member in try answer["to"]?.members(of: "to") ?? [] {
      try instance.setObject(try partner(member.value), for: member.name)
    }
  }

  private func partner(_ answer: JSONValue) throws -> ObjectID? {
    if case .null = answer.content { return nil }
    if answer["set"] != nil || answer["find"] != nil { return try object(answer) }
    let found = try objects(answer)
    guard found.count < 2 else { throw PolicyError("a to-one relationship has one object") }
    return found.first
  }

  private func value(_ member: JSONMember, of entity: String) throws -> AttributeValue {
    let model = manager.destinationModel
    guard let description = model.entity(named: entity) else {
      throw PolicyError.unknownEntity(entity, in: model.entities)
    }
    guard let attribute = model.leaf(named: member.name, of: description)?.attribute else {
      throw PolicyError.unknownProperty(
        member.name,
        "attribute",
        of: entity,
        known: model.attributes(of: description).map(\.name)
      )
    }
    do throws(PolicyError) {
      return try PolicyValue.value(member.value, as: attribute.attributeType)
    } catch {
      throw PolicyError("attribute \(member.name) of \(entity): \(error)")
    }
  }

  private static func refuseOthers(_ answer: JSONValue) throws(PolicyError) {
    try answer.refuseMembers(
      of: "its answer",
      except: names,
      instead: "null, true, false, an object or an array of objects"
    )
  }

  private static func key(_ value: JSONValue) throws(PolicyError) -> Int64 {
    guard case .number(let text) = value.content, let key = Int64(text) else {
      throw PolicyError("\(PolicyValue.shown(value)) is not a key")
    }
    return key
  }
}
