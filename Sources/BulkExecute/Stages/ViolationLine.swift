internal import BulkStore

/// A violation as a line of the report holds it, in JSON.
struct ViolationLine: Codable {
  private let entity: String
  private let key: Int64
  private let property: String
  private let rule: String
  private let value: String?
  private let mapping: String?
  private let sourceEntity: String?
  private let sourceKey: Int64?

  init(_ violation: Violation) {
    entity = violation.entity
    key = violation.key
    property = violation.property
    rule = violation.rule
    value = violation.value
    mapping = violation.origin?.mapping
    sourceEntity = violation.origin?.entity
    sourceKey = violation.origin?.key
  }

  var violation: Violation {
    Violation(
      entity: entity,
      key: key,
      origin: origin,
      property: property,
      rule: rule,
      value: value
    )
  }

  private var origin: ObjectOrigin? {
    guard let mapping, let sourceEntity, let sourceKey else { return nil }
    return ObjectOrigin(mapping: mapping, entity: sourceEntity, key: sourceKey)
  }
}
