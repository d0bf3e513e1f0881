internal import BulkSupport

/// Writes models as archives of `XDPMModel`, the copies in a mapping model of Xcode.
///
/// Classes and keys are those of 78 such copies (formats/models.md 7). Xcode's copies cannot hold composite elements,
/// derivations, fetch indexes and requests; configurations and default dates are left out. Only some of them change a
/// version hash.
package struct EditorModelWriter {
  private typealias Setting = (key: String, value: PropertyList)

  private let model: ManagedObjectModel
  private var archive = KeyedArchiveWriter()
  private var entities: [String: PropertyList] = [:]
  private var properties: [String: [String: PropertyList]] = [:]
  /// What links an entity to its superentity, by the name of the entity.
  private var generalizations: [String: PropertyList] = [:]
  private var identifierCount = 0

  /// The archive of a model, as a binary property list; equal models give equal bytes.
  package static func archive(of model: ManagedObjectModel) -> [UInt8] {
    var writer = EditorModelWriter(model)
    let root = writer.addModel()
    let list = writer.archive.finish(root: root).inArchiverOrder(of: ["_xd_rootPackage"])
    return BinaryPropertyListWriter.write(list)
  }

  private init(_ model: ManagedObjectModel) {
    self.model = model
    for entity in model.entities {
      entities[entity.name] = archive.reserve()
      let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
      properties[entity.name] = Dictionary(firstOf: names.map { ($0, archive.reserve()) })
      if entity.superentityName != nil { generalizations[entity.name] = archive.reserve() }
    }
  }

  private mutating func addModel() -> PropertyList {
    let (root, package) = (archive.reserve(), archive.reserve())
    for entity in model.entities { addEntity(entity, of: package) }
    let kinds = ["Classes", "DataTypes", "Interfaces", "Packages"]
    let members = model.entities.map { ($0.name, reference($0.name)) }
    let lists = kinds.map { ($0, dictionary($0 == kinds[0] ? members : [])) }
    set(package, .package, "", of: KeyedArchiveWriter.null, ["_xd_owningModel": root], lists)
    archive.set(
      root,
      class: .init("XDPMModel", "XDModel"),
      [
        "_xd_rootPackage": package, "_xd_modelName": KeyedArchiveWriter.null,
        "_xd_modelManager": KeyedArchiveWriter.null,
        "_xd_comments": archive.add([], class: .mutableArray),
        "_configurationsByName": dictionary([]),
        "_modelVersionIdentifier": archive.add(model.versionIdentifiers.first ?? ""),
      ]
    )
    return root
  }

  private func reference(_ entity: String) -> PropertyList {
    entities[entity] ?? KeyedArchiveWriter.null
  }

  private mutating func dictionary(_ entries: [(String, PropertyList)]) -> PropertyList {
    archive.add(entries: entries.map { (key: $0, value: $1) }, class: .mutableDictionary)
  }

  /// Sets one of the editor's objects, with the lists of what it owns.
  ///
  /// Some have a random number, of which only a count is made here.
  private mutating func set(
    _ object: PropertyList,
    _ chain: KeyedArchiveWriter.ClassChain,
    _ name: String?,
    of owner: PropertyList,
    _ entries: [String: PropertyList],
    _ lists: [(kind: String, members: PropertyList)] = []
  ) {
    let isCounted = [.entity, .attribute, .relationship, .generalization].contains(chain)
    if isCounted { identifierCount += 1 }
    var entries = entries
    entries["_name"] = archive.add(name)
    entries["_owner"] = owner
    entries["_visibility"] = .integer(0)
    entries["_uniqueElementID"] = archive.add(isCounted ? "\(identifierCount)" : nil)
    for (kind, members) in lists {
      entries["XDBucketFor\(kind)wasEncoded"] = archive.add("YES")
      entries["XDBucketFor\(kind)storage"] = members
      if chain != .package { entries["XDBucketFor\(kind)ordered"] = archive.add("ordered") }
      guard kind.hasSuffix("lizations") else { continue }
      entries["XDBucketFor\(kind)duplicates"] = archive.add("duplicates")
    }
    archive.set(object, class: chain, entries)
  }

  private mutating func addEntity(_ entity: EntityDescription, of package: PropertyList) {
    let own = reference(entity.name)
    for attribute in entity.attributes { addAttribute(attribute, of: entity) }
    for relationship in entity.relationships { addRelationship(relationship, of: entity) }
    let owned = (entity.attributes.map(\.name) + entity.relationships.map(\.name)).compactMap {
      name in
      properties[entity.name]?[name].map { (name, $0) }
    }
    let record = archive.reserve()
    set(record, .record, "XDGenericRecordClass", of: KeyedArchiveWriter.null, Self.classEntries)
    let settings =
      settings(EntityDescription.settings, of: entity) + [
        ("XD_PSK_fetchRequestsArray", archive.add([], class: .mutableArray)),
        ("XD_PSK_classMapping", record),
      ]
    let above = [generalizations[entity.name]].compactMap(\.self)
    for link in above {
      let general = reference(entity.superentityName ?? "")
      set(link, .generalization, nil, of: own, ["_specific": own, "_general": general])
    }
    let below = model.subentities(of: entity).compactMap { generalizations[$0.name] }
    var lists = [
      ("OwnedAttributes", dictionary(owned)),
      ("Stereotypes", stereotypes([("XD_PStereotype", settings)], of: own)),
      ("Generalizations", archive.add(above, class: .mutableArray)),
    ]
    if !below.isEmpty {
      lists.append(("Specializations", archive.add(below, class: .mutableArray)))
    }
    set(own, .entity, entity.name, of: package, Self.classEntries, lists)
  }

  private static let classEntries = ["_isAbstract": PropertyList.boolean(false)]

  /// The entries of properties and settings that are always the same.
  private static let propertyEntries: [String: PropertyList] = {
    let flags = ["Static", "Unique", "ReadOnly", "Derived", "Ordered", "Composite", "Leaf"]
    let entries = flags.map { ("_is\($0)", PropertyList.boolean(false)) }
    return Dictionary(
      uniqueKeysWithValues: entries
        + ["_type", "_association", "_default"].map { ($0, KeyedArchiveWriter.null) }
    )
  }()

  private mutating func stereotypes(
    _ stereotypes: [(name: String, settings: [Setting])],
    of owner: PropertyList
  ) -> PropertyList {
    var members: [(String, PropertyList)] = []
    for (name, settings) in stereotypes {
      let stereotype = archive.reserve()
      members.append((name, stereotype))
      let values = settings.map { key, value in
        let setting = archive.reserve()
        let entries = Self.propertyEntries.merging(["_default": value]) { $1 }
        set(setting, .setting, key, of: stereotype, entries)
        return (key, setting)
      }
      let lists = [("OwnedAttributes", dictionary(values))]
      set(stereotype, .stereotype, name, of: owner, Self.classEntries, lists)
    }
    return dictionary(members)
  }
}

extension EditorModelWriter {
  private mutating func addAttribute(
    _ attribute: AttributeDescription,
    of entity: EntityDescription
  ) {
    let type = PropertyList.integer(Int64(attribute.attributeType.rawValue))
    let rules = attribute.validationPredicates
    let texts = [
      ("defaultValueAsString", attribute.defaultValue?.editorText),
      ("minValueString", rules.limit(.greaterThanOrEqualTo)),
      ("maxValueString", rules.limit(.lessThanOrEqualTo)),
      ("regularExpressionString", rules.limit(.matches)),
    ]
    let own =
      [("XD_PAttK_attributeType", archive.add(type))]
      + texts.map { ("XD_PAttK_\($0)", archive.add($1)) }
    add(attribute, AttributeDescription.settings, own, "XD_PAtt_Stereotype", of: entity)
  }

  private mutating func addRelationship(
    _ relationship: RelationshipDescription,
    of entity: EntityDescription
  ) {
    let destination = model.entity(named: relationship.destinationEntityName)
    let inverses = destination.map(model.lineage(of:))?.compactMap { owner in
      relationship.inverseName.flatMap { properties[owner.name]?[$0] }
    }
    let own = [
      ("XD_PRK_destination", reference(relationship.destinationEntityName)),
      ("XD_PRK_inverseRelationship", inverses?.first ?? KeyedArchiveWriter.null),
      ("XD_PRK_deleteRule", archive.add(.integer(relationship.deleteRule.rawValue))),
    ]
    add(relationship, RelationshipDescription.settings, own, "XD_PR_Stereotype", of: entity)
  }

  private mutating func add<Property: PropertyDescription>(
    _ property: Property,
    _ table: [ModelSetting<Property>],
    _ own: [Setting],
    _ stereotype: String,
    of entity: EntityDescription
  ) {
    guard let reference = properties[entity.name]?[property.name] else { return }
    var settings = settings(table, of: property) + own
    let general = settings.partition { $0.key.hasPrefix("XD_PPSK_") }
    let stored = ("XD_PPSK_isStoredInTruthFile", archive.add(PropertyList.boolean(false)))
    let groups = [
      ("XD_PPropStereotype", settings[general...] + [stored]), (stereotype, settings[..<general]),
    ]
    set(
      reference,
      property is AttributeDescription ? .attribute : .relationship,
      property.name,
      of: self.reference(entity.name),
      Self.propertyEntries,
      [("Stereotypes", stereotypes(groups.map { ($0, Array($1)) }, of: reference))]
    )
  }

  private mutating func settings<Element>(
    _ settings: [ModelSetting<Element>],
    of element: Element
  ) -> [Setting] {
    var result: [Setting] = []
    for setting in settings {
      guard let key = setting.key(in: .editor) else { continue }
      let value =
        switch setting.value {
        case .flag(let path): archive.add(PropertyList.boolean(element[keyPath: path]))
        case .text(let path): archive.add(element[keyPath: path])
        case .count(let path): archive.add(PropertyList.integer(element[keyPath: path]))
        case .lists(let path): archive.add(lists: element[keyPath: path])
        case .userInfo(let path):
          dictionary(
            element[keyPath: path].sorted { CodeUnitOrder.precedes($0.key, $1.key) }
              .map { ($0.key, archive.add($0.value)) }
          )
        }
      result.append((key, value))
    }
    return result
  }
}

extension KeyedArchiveWriter.ClassChain {
  private static let named = ["XDUMLNamedElementImp", "XDUMLElementImp"]
  private static let space = ["XDUMLNamespaceImp"] + named
  private static let unit = ["XDUMLClassImp", "XDUMLClassifierImp"] + space
  private static let property = ["XDUMLPropertyImp"] + named

  fileprivate static let package = Self(["XDModelPackage", "XDUMLPackageImp"] + space)
  fileprivate static let record = Self(unit)
  fileprivate static let stereotype = Self(["XDUMLStereotypeImp"] + unit)
  fileprivate static let entity = Self(["XDPMEntity"] + unit)
  fileprivate static let generalization = Self(["XDUMLGeneralizationImp"] + named)
  fileprivate static let setting = Self(property)
  fileprivate static let attribute = Self(["XDPMAttribute", "XDPMProperty"] + property)
  fileprivate static let relationship = Self(["XDPMRelationship", "XDPMProperty"] + property)
}

extension AttributeValue {
  /// A default value as the editor writes it; `nil` for those that it writes in the author's language or not at all.
  fileprivate var editorText: String? {
    switch self {
    case .boolean(let flag): flag ? "YES" : "NO"
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .string(let text), .uri(let text): text
    case .uuid(let uuid): uuid.uuidString
    case .null, .date, .binary: nil
    }
  }
}

extension [ValuePredicate] {
  /// The text of the limit that a comparison of a kind sets.
  fileprivate func limit(_ kind: ValuePredicate.Operator) -> String? {
    for case .comparison(let comparison) in self where comparison.operator == kind {
      if case .constant(let value) = comparison.right { return value.editorText }
    }
    return nil
  }
}
