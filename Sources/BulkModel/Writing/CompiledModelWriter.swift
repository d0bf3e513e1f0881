package import BulkSupport

/// Writes models as archives of `NSManagedObjectModel`, in the form that Core Data stores in
/// `Z_MODELCACHE`.
///
/// That form differs from a `.mom`: each entity contains copies of the properties that it inherits, and the
/// entities are in an `NSKnownKeysDictionary1`. Classes, keys and the order of references follow 54 caches of
/// real stores (formats/models.md 5.4).
package struct CompiledModelWriter {
  private let model: ManagedObjectModel
  var archive = KeyedArchiveWriter()
  private let root: PropertyList
  /// The reference of each entity, by name.
  private var entities: [String: PropertyList] = [:]
  /// The reference of each property, own and inherited, by entity and name.
  private(set) var properties: [String: [String: PropertyList]] = [:]
  private let emptyUserInfo: PropertyList

  /// The archive of a model, as a binary property list; equal models give equal bytes.
  package static func archive(of model: ManagedObjectModel) -> [UInt8] {
    var writer = CompiledModelWriter(model)
    writer.addModel()
    return BinaryPropertyListWriter.write(writer.archive.finish(root: writer.root))
  }

  private init(_ model: ManagedObjectModel) {
    self.model = model
    root = archive.reserve()
    emptyUserInfo = archive.add(entries: [])
    for entity in model.entities {
      entities[entity.name] = archive.reserve()
      var references: [String: PropertyList] = [:]
      for owner in model.lineage(of: entity) {
        for name in owner.propertyNames { references[name] = archive.reserve() }
      }
      properties[entity.name] = references
    }
  }

  private mutating func addModel() {
    for entity in model.entities { addEntity(entity) }
    var entries: [String: PropertyList] = [
      "NSEntities": addEntityTable(),
      "NSVersionIdentifiers": archive.add(
        model.versionIdentifiers.map { archive.add($0) },
        class: .set
      ),
      "NSFetchRequestTemplates": addFetchRequestTemplates(),
    ]
    if !model.configurations.isEmpty { entries["NSConfigurations"] = addConfigurations() }
    archive.set(root, class: .init("NSManagedObjectModel"), entries)
  }

  /// The entities by name, in a dictionary class whose keys can be shared.
  private mutating func addEntityTable() -> PropertyList {
    let names = model.entities.map(\.name)
    let keys = archive.add(names.map { archive.add($0) })
    let mapping = archive.add(
      class: .init("NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy"),
      ["keys": keys, "length": .integer(Int64(names.count)), "version": .integer(1)]
    )
    return archive.add(
      class: .init(
        "NSKnownKeysDictionary1",
        "NSKnownKeysDictionary",
        "NSMutableDictionary",
        "NSDictionary"
      ),
      [
        "searchMapping": mapping,
        "values": archive.add(names.map(reference(toEntity:))),
        "emptyToken": archive.add("__empty_slot_token_4c24_98dc_ac1e_b773__"),
        "version": .integer(1),
      ]
    )
  }

  private mutating func addConfigurations() -> PropertyList {
    let entries = model.configurations.keys.sortedByCodeUnit().map { name in
      let members = (model.configurations[name] ?? []).compactMap { entities[$0] }
      return (key: name, value: archive.add(members, class: .set))
    }
    return archive.add(entries: entries, class: .mutableDictionary)
  }

  private mutating func addFetchRequestTemplates() -> PropertyList {
    guard !model.fetchRequestTemplates.isEmpty else { return KeyedArchiveWriter.null }
    let entries = model.fetchRequestTemplates.map { (key: $0.name, value: addFetchRequest($0)) }
    return archive.add(entries: entries, class: .mutableDictionary)
  }

  func reference(toEntity name: String) -> PropertyList {
    entities[name] ?? KeyedArchiveWriter.null
  }
}

extension CompiledModelWriter {
  private mutating func addEntity(_ entity: EntityDescription) {
    let references = properties[entity.name] ?? [:]
    addProperties(of: entity)
    var entries: [String: PropertyList] = [
      "NSEntityName": archive.add(entity.name),
      "NSClassNameForEntity": archive.add(entity.managedObjectClassName),
      "NSManagedObjectModel": root,
      "NSSuperentity": entity.superentityName.map(reference(toEntity:)) ?? KeyedArchiveWriter.null,
      "NSSubentities": archive.add(
        entries: model.subentities(of: entity).map { ($0.name, reference(toEntity: $0.name)) },
        class: .mutableDictionary
      ),
      "NSProperties": archive.add(
        entries: references.keys.sortedByCodeUnit().compactMap { name in
          references[name].map { (name, $0) }
        },
        class: .mutableDictionary
      ),
      "NSRenamingIdentifier": archive.add(entity.canonicalName),
      "NSVersionHashModifier": archive.add(entity.versionHashModifier),
      "NSUserInfo": addUserInfo(entity.userInfo),
    ]
    _ = add(EntityDescription.settings, of: entity, to: &entries)
    if !entity.indexes.isEmpty {
      entries["NSFetchIndexDescriptions"] = archive.add(
        entity.indexes.map { addFetchIndex($0, of: reference(toEntity: entity.name)) },
        class: .mutableArray
      )
    }
    archive.set(reference(toEntity: entity.name), class: .init("NSEntityDescription"), entries)
  }

  private mutating func addProperties(of entity: EntityDescription) {
    let reference = reference(toEntity: entity.name)
    for owner in model.lineage(of: entity) {
      for attribute in owner.attributes {
        set(attribute.name, of: entity, addAttribute(attribute, of: reference))
      }
      for relationship in owner.relationships {
        set(relationship.name, of: entity, addRelationship(relationship, of: reference))
      }
      for property in owner.fetchedProperties {
        set(property.name, of: entity, addFetchedProperty(property, of: reference))
      }
    }
  }

  private mutating func set(
    _ name: String,
    of entity: EntityDescription,
    _ content: CompiledContent
  ) {
    guard let reference = properties[entity.name]?[name] else { return }
    archive.set(reference, class: content.chain, content.entries)
  }

  /// Adds the flags that are set, the counts and the lists; returns the bits of the flags.
  mutating func add<Element>(
    _ settings: [ModelSetting<Element>],
    of element: Element,
    to entries: inout [String: PropertyList]
  ) -> CompiledPropertyFlags {
    var flags: CompiledPropertyFlags = []
    for setting in settings {
      guard let key = setting.key(in: .archive) else { continue }
      switch setting.value {
      case .flag(let path) where element[keyPath: path]:
        entries[key] = .boolean(true)
        flags.insert(setting.bit)
      case .count(let path): entries[key] = .integer(element[keyPath: path])
      case .lists(let path) where !element[keyPath: path].isEmpty:
        entries[key] = archive.add(lists: element[keyPath: path])
      // The objects of texts and user info come in an order of their own.
      case .flag, .lists, .text, .userInfo: continue
      }
    }
    return flags
  }

  mutating func addUserInfo(
    _ userInfo: [String: String],
    _ locationComponents: [String] = []
  ) -> PropertyList {
    guard !userInfo.isEmpty || !locationComponents.isEmpty else { return emptyUserInfo }
    var entries = userInfo.keys.sortedByCodeUnit().map { key in
      (key: key, value: archive.add(userInfo[key]))
    }
    if !locationComponents.isEmpty {
      let names = archive.add(locationComponents.map { archive.add($0) })
      entries.append((key: UserInfoKey.locationComponents, value: names))
    }
    return archive.add(entries: entries)
  }
}

extension EntityDescription {
  fileprivate var propertyNames: [String] {
    attributes.map(\.name) + relationships.map(\.name) + fetchedProperties.map(\.name)
  }
}

typealias CompiledContent = (
  chain: KeyedArchiveWriter.ClassChain, entries: [String: PropertyList]
)

extension KeyedArchiveWriter {
  mutating func add(lists: [[String]]) -> PropertyList {
    let elements = lists.map { list in add(list.map { add($0) }, class: .mutableArray) }
    return add(elements, class: .mutableArray)
  }
}

extension KeyedArchiveWriter.ClassChain {
  static let set = Self("NSSet")
  package static let mutableArray = Self("NSMutableArray", "NSArray")
  package static let mutableDictionary = Self("NSMutableDictionary", "NSDictionary")
}
