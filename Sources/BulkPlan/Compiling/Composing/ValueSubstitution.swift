internal import BulkMapping
internal import BulkModel

/// Rewrites expressions over objects of a version as expressions over the objects they are made from.
///
/// A value of the version that is chosen when its object is made is replaced by its expression; a value that exists only
/// in the version is a barrier. No number is converted on the way (``MigrationStep/convertedNumbers``).
struct ValueSubstitution {
  private let origins: VersionOrigins
  private let maker: EntityMapping
  private let entity: EntityDescription

  private var version: ManagedObjectModel { origins.step.destination }
  private var before: ManagedObjectModel { origins.step.source }

  init(_ origins: VersionOrigins, under maker: EntityMapping, _ entity: EntityDescription) {
    (self.origins, self.maker, self.entity) = (origins, maker, entity)
  }

  func assigned(
    _ expression: ValueExpression,
    to attribute: AttributeDescription
  ) throws(FusionBarrier) -> ValueExpression {
    switch AttributeMeaning(expression) {
    case .copy(let name):
      guard let own = self.attribute(name), own.attributeType == attribute.attributeType else {
        return try value(expression)
      }
      try origins.refuseOtherStorage(own, attribute, at: "\(entity.name).\(own.name)")
      // The value has already been converted to this type.
      return try origins.value(of: own, under: maker)
    case .copyOrDefault(let name):
      return try assigned(InferredValue.copy(name), to: attribute).orInitial(of: attribute)
    case .defaultValue, .constant, .policy, .expression: return try value(expression)
    }
  }

  private func attribute(_ name: String) -> AttributeDescription? {
    version.leaf(named: name, of: entity)?.attribute
  }

  private func barrier(_ expression: ValueExpression) -> FusionBarrier {
    FusionBarrier("\(expression) asks objects of \(entity.name) in \(origins.step.name)")
  }

  func value(_ expression: ValueExpression) throws(FusionBarrier) -> ValueExpression {
    if let path = expression.ownPath { return try keyPath(path, expression) }
    guard expression.combinesParts else { throw barrier(expression) }
    return try expression.rewritten(value)
  }

  func predicate(_ predicate: ValuePredicate) throws(FusionBarrier) -> ValuePredicate {
    try predicate.rewritten(value)
  }

  private func keyPath(
    _ path: String,
    _ expression: ValueExpression
  ) throws(FusionBarrier) -> ValueExpression {
    var names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if let own = attribute(path) { return try origins.value(of: own, under: maker) }
    let last = names.removeLast()
    guard let start = before.entity(named: maker.sourceEntityName) else {
      throw barrier(expression)
    }
    var point = Point(entity: entity, before: start, path: [])
    for name in names { point = try followed(name, from: point, expression) }
    if let attribute = version.leaf(named: last, of: point.entity)?.attribute {
      point.path.append(try origins.copied(attribute, of: point.entity))
      return point.expression
    }
    return try followed(last, from: point, expression).expression
  }

  private struct Point {
    let entity: EntityDescription
    let before: EntityDescription
    var path: [String]

    var expression: ValueExpression { InferredValue.copy(path.joined(separator: ".")) }
  }

  /// All objects of the relationship must exist.
  private func followed(
    _ name: String,
    from point: Point,
    _ expression: ValueExpression
  ) throws(FusionBarrier) -> Point {
    let origin =
      point.path.isEmpty
      ? try origins.origin(of: name, under: maker) : try origins.origin(of: name, in: point.entity)
    guard
      let relationship = version.relationship(named: name, of: point.entity)?.relationship,
      let entity = version.entity(named: relationship.destinationEntityName),
      case .path(let name, let targets) = origin,
      let found = self.before.relationship(named: name, of: point.before),
      let end = self.before.entity(named: found.relationship.destinationEntityName),
      origins.step.isWhole(targets, from: end)
    else { throw barrier(expression) }
    return Point(entity: entity, before: end, path: point.path + [name])
  }
}

extension ValueExpression {
  fileprivate func orInitial(of attribute: AttributeDescription) -> ValueExpression {
    guard let initial = attribute.defaultValue else { return self }
    if case .keyPath(let name, of: .variable("source")) = self, !name.contains(".") {
      return InferredValue.copyOrDefault(name)
    }
    guard case .constant(let constant) = self else {
      return InferredValue.choice(self, or: .constant(initial))
    }
    return .constant(constant == .null ? initial : constant)
  }
}
