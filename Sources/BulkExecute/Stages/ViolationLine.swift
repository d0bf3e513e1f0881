internal import BulkCoding
internal import BulkStore
internal import BulkPlatform

/// A violation as a line of the report holds it, in JSON.
///
/// Lines are written and read by the hundred thousand, so no coder goes through them name by name. Names are in the
/// order of their code units; those without a value are left out.
enum ViolationLine {
  /// The line of a violation, without its end.
  static func text(_ violation: Violation) -> String {
    let origin = violation.origin
    let members: [(name: String, value: String?)] = [
      ("entity", JSONText.quoted(violation.entity)),
      ("key", String(violation.key)),
      ("mapping", origin.map { JSONText.quoted($0.mapping) }),
      ("property", JSONText.quoted(violation.property)),
      ("rule", JSONText.quoted(violation.rule)),
      ("sourceEntity", origin.map { JSONText.quoted($0.entity) }),
      ("sourceKey", origin.map { String($0.key) }),
      ("value", violation.value.map { JSONText.quoted($0) }),
    ]
    let present = members.compactMap { member in member.value.map { "\"\(member.name)\":\($0)" } }
    return "{\(present.joined(separator: ","))}"
  }

  /// The violation of a line; `nil` if it has none.
  static func violation(in line: some Sequence<UInt8>) -> Violation? {
    guard let document = try? JSONDocument(Array(line)),
      case .object(let members) = document.root.content
    else { return nil }
    var found = Members()
    for member in members { found.take(member) }
    return found.violation
  }

  /// What a line says, name by name.
  private struct Members {
    private var texts: [String: String] = [:]
    private var numbers: [String: Int64] = [:]

    mutating func take(_ member: JSONMember) {
      switch member.value.content {
      case .string(let text): texts[member.name] = text
      case .number(let digits): numbers[member.name] = Int64(digits)
      case .null, .boolean, .array, .object: break
      }
    }

    var violation: Violation? {
      guard let entity = texts["entity"], let key = numbers["key"], let rule = texts["rule"],
        let property = texts["property"]
      else { return nil }
      return Violation(
        entity: entity,
        key: key,
        origin: origin,
        property: property,
        rule: rule,
        value: texts["value"]
      )
    }

    private var origin: ObjectOrigin? {
      guard let mapping = texts["mapping"], let entity = texts["sourceEntity"],
        let key = numbers["sourceKey"]
      else { return nil }
      return ObjectOrigin(mapping: mapping, entity: entity, key: key)
    }
  }
}
