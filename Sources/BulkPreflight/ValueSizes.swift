internal import BulkLowering
internal import BulkMapping
internal import BulkModel
internal import BulkPlan
internal import BulkStore
internal import BulkVersions

/// The mean bytes of attributes, followed from the source through the steps of a route.
///
/// A computed value is taken to be as long as all values and constants that its expression names together.
struct ValueSizes {
  /// By entity and attribute.
  private var entities: [String: [String: Double]] = [:]

  /// The sizes after the first leg.
  ///
  /// - Throws: ``StoreError`` if the source cannot be read.
  init(after work: MigrationWork, _ reader: SourceSurvey) throws(StoreError) {
    let schema = work.layout.schema
    for entity in schema.model.entities where !entity.isAbstract {
      let number = schema.numbering.number(of: entity.name)
      for attribute in schema.model.attributes(of: entity) {
        guard let name = schema.column(named: attribute.name, in: entity) else { continue }
        let column = SourceColumn(name: name, table: schema.table(of: entity).name, entity: number)
        entities[entity.name, default: [:]][attribute.name] = try reader.meanBytes(of: column)
      }
    }
    for step in work.step.steps { follow(step) }
  }

  /// The bytes by which the legs of a route make values longer, each with those before it; 0 for the first leg.
  ///
  /// - Throws: ``PlanError`` if a later leg cannot be read.
  mutating func growth(
    along route: MigrationRoute,
    of plan: MigrationPlan
  ) throws(PlanError) -> [Int64] {
    let first = route.ranges[0].upperBound
    let steps = try plan.steps(first..<route.steps.count).all()
    var grown: [Int64] = [0]
    for range in route.ranges.dropFirst() {
      var bytes = grown[grown.count - 1]
      for index in range {
        bytes += growth(by: steps[index - first], route.steps[index].entities ?? [])
        follow(steps[index - first])
      }
      grown.append(bytes)
    }
    return grown
  }

  /// The bytes by which a step makes the values of its objects longer.
  private func growth(by step: MigrationStep, _ changes: [MigrationPlan.EntityChange]) -> Int64 {
    step.mapping.entityMappings.reduce(0) { sum, mapping in
      let rows = changes.first { $0.mapping == mapping.name }?.rows ?? 0
      let before = entities[mapping.sourceEntityName ?? ""] ?? [:]
      let after = sizes(mapping, step)
      let difference = after.values.reduce(0, +) - before.values.reduce(0, +)
      return sum + Int64(Double(rows) * max(0, difference))
    }
  }

  /// Replaces the sizes by those after a step.
  private mutating func follow(_ step: MigrationStep) {
    var result: [String: [String: Double]] = [:]
    for mapping in step.mapping.entityMappings {
      guard let made = mapping.destinationEntityName else { continue }
      result[made, default: [:]].merge(sizes(mapping, step), uniquingKeysWith: max)
    }
    entities = result
  }

  /// The sizes of what an entity mapping makes.
  private func sizes(_ mapping: EntityMapping, _ step: MigrationStep) -> [String: Double] {
    guard let entity = mapping.destinationEntityName.flatMap(step.destination.entity) else {
      return [:]
    }
    let values = entities[mapping.sourceEntityName ?? ""] ?? [:]
    var result: [String: Double] = [:]
    for attribute in step.destination.attributes(of: entity) where !attribute.isTransient {
      let size = size(of: mapping.attribute(attribute.name), attribute, values)
      result[attribute.name] = attribute.holdsText ? size : min(size, Self.numberBytes)
    }
    return result
  }

  /// The most bytes of a number.
  private static let numberBytes = 8.0

  private func size(
    of meaning: AttributeMeaning,
    _ attribute: AttributeDescription,
    _ values: [String: Double]
  ) -> Double {
    switch meaning {
    case .defaultValue: attribute.defaultValue?.bytes ?? 0
    case .copy(let name), .copyOrDefault(let name): values[name] ?? 0
    case .constant(let value): value.bytes
    case .policy: values[attribute.name] ?? 0
    case .expression(let expression): size(of: expression, values)
    }
  }

  private func size(of expression: ValueExpression, _ values: [String: Double]) -> Double {
    if case .constant(let value) = expression { return value.bytes }
    if case .keyPath(let name, of: .variable("source")) = expression { return values[name] ?? 0 }
    if case .ternary(_, let then, let otherwise) = expression {
      return max(size(of: then, values), size(of: otherwise, values))
    }
    return expression.children.reduce(0) { $0 + size(of: $1, values) }
  }
}

extension AttributeDescription {
  /// Whether its values have any length.
  fileprivate var holdsText: Bool {
    [.string, .binaryData, .uri, .transformable].contains(attributeType)
  }
}

extension AttributeValue {
  /// Its bytes in a row.
  fileprivate var bytes: Double {
    switch self {
    case .null: 0
    case .boolean, .integer, .double, .decimal, .date: 8
    case .string(let text), .uri(let text): Double(text.utf8.count)
    case .binary(let bytes): Double(bytes.count)
    case .uuid: 16
    }
  }
}
