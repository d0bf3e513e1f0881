internal import BulkSupport
internal import BulkModel

/// Writes a `.cdm`: an archive of `NSMappingModel`.
///
/// Classes, keys and the order of objects are those of a file that Xcode compiled; see ``CompiledMappingKey``.
struct CompiledMappingWriter {
  private typealias Entries = [CompiledMappingKey: PropertyList]

  private let models: ModelPair
  private var archive = KeyedArchiveWriter()

  /// The archive of a mapping that Core Data can carry out, as a binary property list.
  static func archive(of mapping: MappingModel, between models: ModelPair) -> [UInt8] {
    var writer = CompiledMappingWriter(models: models)
    let mappings = mapping.entityMappings.map { (key: $0.name, value: writer.add($0)) }
    let root = writer.add(
      "NSMappingModel",
      [
        .mappings: writer.archive.add(mappings.map(\.value)),
        .mappingsByName: writer.archive.add(entries: mappings, class: .mutableDictionary),
      ]
    )
    let keys = CompiledMappingKey.allCases.map(\.rawValue) + expressionKeys
    let list = writer.archive.finish(root: root).inArchiverOrder(of: keys)
    return BinaryPropertyListWriter.write(list)
  }

  private init(models: ModelPair) { self.models = models }

  private mutating func add(_ className: String, _ entries: Entries) -> PropertyList {
    let entries = entries.map { ($0.key.rawValue, $0.value) }
    return archive.add(class: .init(className), Dictionary(uniqueKeysWithValues: entries))
  }

  private mutating func add(_ mapping: EntityMapping) -> PropertyList {
    archive.argumentsClass = .init("NSArray")
    let fetch = mapping.sourceEntityName.map { archive.add(.fetch(of: $0, where: mapping.filter)) }
    // Xcode compiles values from their texts, which gives their functions mutable arrays.
    archive.argumentsClass = .mutableArray
    return add(
      "NSEntityMapping",
      [
        .name: archive.add(mapping.name),
        .type: .integer(mapping.kind.rawValue),
        .source: archive.add(mapping.sourceEntityName),
        .destination: archive.add(mapping.destinationEntityName),
        .sourceHash: add(mapping.sourceEntityName, models.source),
        .destinationHash: add(mapping.destinationEntityName, models.destination),
        .sourceExpression: fetch ?? KeyedArchiveWriter.null,
        .policy: archive.add(mapping.entityMigrationPolicyClassName),
        .attributes: add(mapping.attributeMappings),
        .relationships: add(mapping.relationshipMappings),
        .userInfo: archive.add(userInfo: mapping.userInfo) ?? KeyedArchiveWriter.null,
      ]
    )
  }

  private mutating func add(_ entity: String?, _ model: ManagedObjectModel) -> PropertyList {
    let hash = entity.flatMap { model.entityVersionHashesByName[$0] }
    return hash.map { archive.add(.data($0.bytes)) } ?? KeyedArchiveWriter.null
  }

  private mutating func add(_ properties: [PropertyMapping]) -> PropertyList {
    let list = properties.map { property in
      add(
        "NSPropertyMapping",
        [
          .property: archive.add(property.name),
          .value: property.valueExpression.map { archive.add($0) } ?? KeyedArchiveWriter.null,
          .transforms: KeyedArchiveWriter.null,
          .userInfo: archive.add(userInfo: property.userInfo) ?? KeyedArchiveWriter.null,
        ]
      )
    }
    return archive.add(list)
  }
}

extension KeyedArchiveWriter {
  /// Adds a user info; `nil` if it is empty.
  mutating func add(userInfo: [String: AttributeValue]) -> PropertyList? {
    guard !userInfo.isEmpty else { return nil }
    let entries = userInfo.sorted { CodeUnitOrder.precedes($0.key, $1.key) }
    return add(
      entries: entries.map { (key: $0.key, value: add(value: $0.value)) },
      class: .mutableDictionary
    )
  }
}
