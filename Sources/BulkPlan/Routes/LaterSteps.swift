internal import BulkVersions
internal import BulkLowering
internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// What a step whose source does not exist yet says of itself, by its models and its mapping.
extension MigrationStep {
  /// Warnings that no row decides, a sentence each; its expressions are checked.
  func warningsWithoutStore() throws(PlanError) -> [String] {
    guard !isInferred else { return copiedTransformables }
    let work = try InstanceWork(mapping, from: StoreSchema(source), to: StoreSchema(destination))
    return copiedTransformables + work.warnings
  }

  /// The warnings for a store with a number of rows before the step, a sentence each.
  ///
  /// Refuses a required attribute that would be nil in rows that certainly exist; uncertain cases are refused when
  /// the step is reached.
  func warnings(_ rows: RowsAlongRoute) throws(PlanError) -> [String] {
    guard isInferred else { return [] }
    let required = RequiredValues(destination: destination) { rows.rows(of: $0) }
    let refusals = rows.isUpperBound ? [] : mapping.entityMappings.flatMap(required.refusals)
    guard refusals.isEmpty else { throw .badRows(refusals) }
    let sources = mapping.entityMappings.compactMap(\.sourceEntityName)
      .filter { rows.rows(of: $0) > 0 }
    return differences(from: sources) + mapping.entityMappings.flatMap(required.warnings)
  }

  func changes(_ rows: RowsAlongRoute) -> [MigrationPlan.EntityChange] {
    mapping.entityMappings.map { mapping in
      EntitySuccession(mapping, self)
        .change(rows: mapping.sourceEntityName.map { rows.rows(of: $0) } ?? 0)
    }
  }
}

/// The number of rows after a step: counted for the first, followed through the entity mappings of the
/// others.
///
/// The effects of filters and policies are not known in advance, so these are estimates.
struct RowsAlongRoute {
  /// More rows than a file of SQLite can hold.
  private static let limit: Int64 = 1 << 40
  /// The bytes of a pair in a join table.
  private static let pairSize: Int64 = 40

  /// The objects of every entity, and the bytes of a row, on average.
  private var entities: [String: (rows: Int64, size: Double)] = [:]
  private var pairs: Int64 = 0
  /// Whether filters may have excluded some of them.
  private(set) var isUpperBound: Bool

  init(after passes: [MigrationPlan.Pass]) {
    isUpperBound = passes.contains { $0.isUpperBound == true }
    for pass in passes {
      let kept = pass.entities.filter { $0.change != .removed }
      let objects = kept.reduce(0) { $0 + $1.rows }
      let pairs = max(0, pass.rows - objects)
      let size = Double(pass.estimatedBytes - pairs * Self.pairSize) / Double(max(1, objects))
      self.pairs += pairs
      for change in kept { add(change.rows, size: size, to: change.entity) }
    }
  }

  /// The rows after another step.
  func following(_ step: MigrationStep) -> RowsAlongRoute {
    let mapping = step.mapping
    var result = self
    result.entities = [:]
    result.pairs = step.destination.hasJoins ? pairs : 0
    result.isUpperBound =
      isUpperBound
      || mapping.entityMappings.contains {
        $0.filter != nil && $0.entityMigrationPolicyClassName == nil || $0.uniqueness != nil
      }
    for mapping in mapping.entityMappings {
      guard let source = mapping.sourceEntityName, let objects = entities[source],
        let destination = mapping.destinationEntityName
      else { continue }
      result.add(objects.rows, size: objects.size, to: destination)
    }
    return result
  }

  func rows(of entity: String) -> Int64 { entities[entity]?.rows ?? 0 }

  /// All rows, pairs included.
  var rows: Int64 { entities.values.reduce(pairs) { min(Self.limit, $0 + $1.rows) } }

  var bytes: Int64 {
    // In the order of the names: a sum of real numbers depends on it, and plans must not.
    let objects = entities.sorted { CodeUnitOrder.precedes($0.key, $1.key) }
      .reduce(0.0) { $0 + Double($1.value.rows) * $1.value.size }
    return Int64(min(Double(Self.limit), objects)) + pairs * Self.pairSize
  }

  private mutating func add(_ rows: Int64, size: Double, to entity: String) {
    let before = entities[entity] ?? (0, 0)
    let all = min(Self.limit, before.rows + rows)
    let bytes = Double(before.rows) * before.size + Double(rows) * max(0, size)
    entities[entity] = (all, all == 0 ? 0 : bytes / Double(all))
  }
}

extension ManagedObjectModel {
  fileprivate var hasJoins: Bool {
    entities.contains { entity in
      entity.relationships.contains { relationship in
        relationship.isToMany && !relationship.isTransient
          && inverse(of: relationship)?.relationship.isToMany == true
      }
    }
  }
}
