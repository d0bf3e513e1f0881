internal import BulkCoding
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

  /// The members of an object, of which there are few.
  private struct Members {
    private let list: [JSONMember]

    init(_ list: [JSONMember]) { self.list = list }

    var count: Int { list.count }

    subscript(name: String) -> JSONValue? { list.first { $0.name == name }?.value }
  }

  private let mapping: EntityMapping
  private let manager: MigrationManager

  init(_ mapping: EntityMapping, _ manager: MigrationManager) {
    (self.mapping, self.manager) = (mapping, manager)
  }

  /// Makes the objects of a source object.
  ///
  /// - Throws: ``RejectedObject``, ``PolicyError``, and any error of the manager.
  func make(_ answer: JSONValue, forSource source: borrowing SourceInstance) throws {
    switch answer.content {
    case .null, .boolean(true):
      try manager.insert(
        manager.evaluate(mapping, forSource: source),
        forSource: source,
        in: mapping
      )
    case .boolean(false): break
    case .array(let answers):
      for answer in answers { try makeOne(answer, forSource: source) }
    default: try makeOne(answer, forSource: source)
    }
  }

  private func makeOne(_ answer: JSONValue, forSource source: borrowing SourceInstance) throws {
    let members = try Self.members(of: answer)
    if let reason = members["reject"] {
      guard let text = reason.string, members.count == 1 else {
        throw PolicyError("\"reject\" is a text, and stands alone")
      }
      throw RejectedObject(reason: text)
    }
    if members["find"] != nil {
      let found = try object(members)
      try manager.associate(sourceInstance: source, withDestinationInstance: found, for: mapping)
      return
    }
    var instance =
      try members["entity"].map { try manager.makeInstance(ofEntity: try Self.text($0, "entity")) }
      ?? manager.evaluate(mapping, forSource: source)
    try fill(&instance, members)
    try manager.insert(instance, forSource: source, in: mapping)
  }

  /// Makes objects from no source object, as `begin` may.
  func makeWithoutSource(_ answer: JSONValue) throws {
    guard case .array(let answers) = answer.content else {
      throw PolicyError("\"objects\" is \(answer.kind), not an array")
    }
    for answer in answers { _ = try object(try Self.members(of: answer)) }
  }

  /// Sets the relationships of an object.
  func relate(_ answer: JSONValue, of object: ObjectID) throws {
    if case .null = answer.content { return }
    let members = try Self.members(of: answer)
    guard members.count == 1, case .object(let relationships) = members["to"]?.content else {
      throw PolicyError("the answer of createRelationships is null, or has \"to\" alone")
    }
    for member in relationships {
      try manager.setObjects(try objects(member.value), for: member.name, of: object)
    }
  }

  /// The objects that a list names.
  func objects(_ answer: JSONValue) throws -> [ObjectID] {
    switch answer.content {
    case .null: []
    case .array(let elements): try elements.flatMap { try objects($0) }
    default: try named(answer)
    }
  }

  /// The objects of other mappings, or a known object: `{"mapping": "AToB", "sources": [1, 2]}`, `{"entity": "B", "key": 3}`.
  private func named(_ answer: JSONValue) throws -> [ObjectID] {
    guard case .object(let list) = answer.content else {
      throw PolicyError("\(PolicyValue.shown(answer)) names no object")
    }
    let members = Members(list)
    if let name = members["mapping"], case .array(let keys) = members["sources"]?.content {
      return try manager.destinationInstances(
        forEntityMappingNamed: Self.text(name, "mapping"),
        sourceKeys: keys.map { try Self.key($0) }
      )
    }
    guard let entity = members["entity"], let key = members["key"], members.count == 2 else {
      throw PolicyError(
        "an object is named by \"mapping\" and \"sources\", or by \"entity\" and \"key\""
      )
    }
    return [ObjectID(entityName: try Self.text(entity, "entity"), key: try Self.key(key))]
  }

  /// The object that members describe: found, made once, or new.
  private func object(_ members: Members) throws -> ObjectID {
    guard let entity = members["entity"] ?? nil, members["reject"] == nil else {
      throw PolicyError("an object that is found or made besides the mapping's has an \"entity\"")
    }
    let name = try Self.text(entity, "entity")
    guard let find = members["find"] else {
      var instance = try manager.makeInstance(ofEntity: name)
      try fill(&instance, members)
      return try manager.insert(instance)
    }
    var values: [String: AttributeValue] = [:]
    for member in try Self.list(find, "find") {
      values[member.name] = try value(member, of: name)
    }
    return try manager.findOrInsert(name, with: values) { try fill(&$0, members) }
  }

  /// Sets attributes and to-one relationships.
  private func fill(_ instance: inout DestinationInstance, _ members: Members) throws {
    for member in try members["set"].map({ try Self.list($0, "set") }) ?? [] {
      let value = try value(member, of: instance.entityName)
      try instance.setValue(value == .null ? nil : value, forKey: member.name)
    }
    for member in try members["to"].map({ try Self.list($0, "to") }) ?? [] {
      try instance.setObject(try partner(member.value), for: member.name)
    }
  }

  private func partner(_ answer: JSONValue) throws -> ObjectID? {
    if case .null = answer.content { return nil }
    if case .object(let members) = answer.content,
      members.contains(where: { ["set", "find"].contains($0.name) })
    {
      return try object(try Self.members(of: answer))
    }
    let found = try objects(answer)
    guard found.count < 2 else { throw PolicyError("a to-one relationship has one object") }
    return found.first
  }

  private func value(_ member: JSONMember, of entity: String) throws -> AttributeValue {
    let model = manager.destinationModel
    guard let description = model.entity(named: entity) else { throw unknown(entity) }
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

  private func unknown(_ entity: String) -> PolicyError {
    .unknownEntity(entity, in: manager.destinationModel.entities)
  }

  private static func members(of answer: JSONValue) throws(PolicyError) -> Members {
    guard case .object(let list) = answer.content else {
      throw PolicyError(
        "its answer is \(answer.kind), not null, true, false, an object or an array of objects"
      )
    }
    for member in list where !names.contains(member.name) {
      throw PolicyError("its answer has a member \"\(member.name)\", which means nothing")
    }
    return Members(list)
  }

  private static func list(_ value: JSONValue, _ name: String) throws(PolicyError) -> [JSONMember] {
    guard case .object(let members) = value.content else {
      throw PolicyError("\"\(name)\" is \(value.kind), not an object")
    }
    return members
  }

  private static func text(_ value: JSONValue, _ name: String) throws(PolicyError) -> String {
    guard let text = value.string else {
      throw PolicyError("\"\(name)\" is \(value.kind), not a text")
    }
    return text
  }

  private static func key(_ value: JSONValue) throws(PolicyError) -> Int64 {
    guard case .number(let text) = value.content, let key = Int64(text) else {
      throw PolicyError("\(PolicyValue.shown(value)) is no key")
    }
    return key
  }
}
