internal import BulkSupport
internal import BulkStore

/// A violation as a line of the report holds it, in JSON.
///
/// Lines are written and read by the hundred thousand, so no coder goes through them name by name. Names are in the
/// order of their code units; those without a value are left out.
enum ViolationLine {
  static let beginning = "{\"entity\":"

  /// Without its end.
  static func text(_ violation: Violation) -> String {
    let origin = violation.origin
    return JSONText.object([
      ("entity", JSONText.quoted(violation.entity)),
      ("key", String(violation.key)),
      ("mapping", origin.map { JSONText.quoted($0.mapping) }),
      ("property", JSONText.quoted(violation.property)),
      ("rule", JSONText.quoted(violation.rule)),
      ("sourceEntity", origin.map { JSONText.quoted($0.entity) }),
      ("sourceKey", origin.map { String($0.key) }),
      ("value", violation.value.map { JSONText.quoted($0) }),
    ])
  }

  /// `nil` if the line has none.
  static func violation(in line: [UInt8]) -> Violation? {
    guard let document = try? JSONDocument(line),
      case .object(let members) = document.root.content
    else { return nil }
    var texts: [String: String] = [:]
    var numbers: [String: Int64] = [:]
    for member in members {
      switch member.value.content {
      case .string(let text): texts[member.name] = text
      case .number(let digits): numbers[member.name] = Int64(digits)
      case .null, .boolean, .array, .object: break
      }
    }
    guard let entity = texts["entity"], let key = numbers["key"], let rule = texts["rule"],
      let property = texts["property"]
    else { return nil }
    var origin: ObjectOrigin?
    if let mapping = texts["mapping"], let source = texts["sourceEntity"],
      let sourceKey = numbers["sourceKey"]
    {
      origin = ObjectOrigin(mapping: mapping, entity: source, key: sourceKey)
    }
    return Violation(
      entity: entity,
      key: key,
      origin: origin,
      property: property,
      rule: rule,
      value: texts["value"]
    )
  }
}
