import BulkMapping
import BulkModel

extension StepSketch {
  /// The mapping model; a mapping's place tells its style.
  func mapping(_ style: (Int) -> MappingStyle) throws -> MappingModel {
    MappingModel(
      entityMappings: try mappings.enumerated().map { position, mapping in
        try mapping.mapping(style(position))
      }
    )
  }
}

/// How an entity mapping makes its objects.
enum MappingStyle: Hashable, Sendable {
  /// By values that SQL can say.
  case plain
  /// By a value and a filter that SQL cannot say.
  case evaluated
  /// By a policy that does what is done without one.
  case policy

  /// The class name under which ``DefaultPolicy`` is registered.
  static let policyName = "Default"
}

extension MappingSketch {
  fileprivate func mapping(_ wanted: MappingStyle) throws -> EntityMapping {
    let style = sharing != nil && wanted == .policy ? .plain : wanted
    var result = EntityMapping(
      name,
      style == .policy ? .custom : .transform,
      from: source,
      to: destination
    )
    if style == .policy { result.entityMigrationPolicyClassName = MappingStyle.policyName }
    result.filter = try filterText(style).map { try ValuePredicate(format: $0) }
    let text = sharing?.isDivided ?? false ? "$element" : "$source.text"
    var attributes = ["n": "$source.n", "text": text, "loud": text, "maker": "'\(name)'"]
    if style == .evaluated { attributes["loud"] = "uppercase:(\(text))" }
    if let sharing {
      if sharing.isUnique {
        result.uniqueness = ObjectUniqueness(["n"], keeping: sharing.keepsLast ? .last : .first)
      }
      if sharing.isDivided {
        let elements = "{ $source.text, uppercase:($source.text), NIL }"
        result.elements = try ValueExpression(format: elements)
      }
    }
    result.attributeMappings = try attributes.sorted { $0.key < $1.key }
      .map { PropertyMapping($0.key, try ValueExpression(format: $0.value)) }
    result.relationshipMappings = try assignments.map { assignment in
      PropertyMapping(
        assignment.relationship,
        try assignment.format.map { try ValueExpression(format: $0) }
      )
    }
    return result
  }

  private func filterText(_ style: MappingStyle) -> String? {
    guard style == .evaluated else { return filter?.format }
    return filter.map { "\($0.format) AND text LIKE '*'" }
  }
}

extension FilterSketch {
  /// The predicate of a mapping file.
  var format: String {
    switch self {
    case .above(let limit): "n > \(limit)"
    case .equal(let other): "n == \(other)"
    case .hasNumber: "n != nil"
    case .hasNoNumber: "n == nil"
    }
  }
}

extension AssignmentSketch {
  /// The expression of a mapping file; `nil` where there is none.
  var format: String? {
    switch value {
    case .untouched: nil
    case .nothing: "NULL"
    case .made(let mapping, let path):
      call("destinationInstancesForEntityMappingNamed", mapping, path)
    case .madeByAny(let name, let path):
      call("destinationInstancesForSourceRelationshipNamed", name, path)
    }
  }

  private func call(_ selector: String, _ name: String, _ path: [String]) -> String {
    let source = (["$source"] + path).joined(separator: ".")
    return "FUNCTION($manager, \"\(selector):sourceInstances:\", \"\(name)\", \(source))"
      + (takesFirst ? "[FIRST]" : "")
  }
}
