internal import BulkMapping
internal import BulkModel

/// Which entity mappings take the objects of each source entity.
struct Takers {
  private let bySource: [String: [EntityMapping]]

  init(_ mapping: MappingModel) {
    bySource = Dictionary(
      grouping: mapping.entityMappings.filter { $0.destinationEntityName != nil },
      by: { $0.sourceEntityName ?? "" }
    )
  }

  private func all(_ entity: EntityDescription) -> [EntityMapping] { bySource[entity.name] ?? [] }

  /// Whether a mapping takes objects of an entity.
  func take(_ entity: EntityDescription) -> Bool { !all(entity).isEmpty }

  /// Whether each object of an entity becomes another one for certain.
  func takeAll(_ entity: EntityDescription) -> Bool {
    all(entity).contains { $0.filter == nil && $0.entityMigrationPolicyClassName == nil }
  }

  /// The filters of which an object must satisfy one; `nil` where a mapping takes all.
  func filters(of entity: EntityDescription) -> String? {
    let filters = all(entity).map { $0.filter?.description }
    guard !filters.isEmpty, !filters.contains(nil) else { return nil }
    return filters.compactMap(\.self).joined(separator: " or ")
  }

  /// The policy that makes the objects of an entity, where one does.
  func policy(of entity: EntityDescription) -> String? {
    all(entity).lazy.compactMap(\.entityMigrationPolicyClassName).first
  }
}
