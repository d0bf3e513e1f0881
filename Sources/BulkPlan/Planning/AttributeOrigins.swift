internal import BulkMapping
internal import BulkModel

/// The origins of an entity's attributes over inferred steps.
struct AttributeOrigins {
  enum Origin {
    /// The value of an attribute of the source store.
    case source(String)
    /// A value, never nil.
    case value
    case null
  }

  struct Result {
    let entity: String
    let attribute: AttributeDescription
    /// The attribute that it continues; `nil` for a new one.
    let before: AttributeDescription?
    let origin: Origin
  }

  /// The attributes after every step, up to the first one that is not inferred.
  private(set) var results: [Result] = []
  private var origins: [String: Origin] = [:]

  init(along succession: EntitySuccession) {
    guard let first = succession.steps.first,
      let entity = succession.source.flatMap({ first.step.source.entity(named: $0) })
    else { return }
    for attribute in first.step.source.attributes(of: entity) where !attribute.isTransient {
      origins[attribute.name] = .source(attribute.name)
    }
    for step in succession.steps {
      guard step.step.isInferred else { break }
      follow(step)
    }
  }

  private mutating func follow(_ step: EntitySuccession.Step) {
    let before = origins
    origins = [:]
    guard let name = step.mapping.destinationEntityName,
      let entity = step.step.destination.entity(named: name),
      let source = step.mapping.sourceEntityName.flatMap({ step.step.source.entity(named: $0) })
    else { return }
    for attribute in step.step.destination.attributes(of: entity) where attribute.isStored {
      let origin: Origin
      var continued: String?
      switch step.mapping.attribute(attribute.name) {
      case .copy(let name): (origin, continued) = (before[name] ?? .null, name)
      case .copyOrDefault(let name): (origin, continued) = (.value, name)
      case .defaultValue: origin = attribute.defaultValue == nil ? .null : .value
      case .constant, .policy, .expression: origin = .value
      }
      origins[attribute.name] = origin
      results.append(
        Result(
          entity: name,
          attribute: attribute,
          before: continued.flatMap { step.step.source.leaf(named: $0, of: source)?.attribute },
          origin: origin
        )
      )
    }
  }
}

extension AttributeOrigins.Result {
  /// The attribute with its entity, as in `Note.title`.
  var owner: String { "\(entity).\(attribute.name)" }

  /// Whether the step makes a required attribute that may be nil: a new one, or one that was optional.
  var mayLackValue: Bool {
    !attribute.isOptional && attribute.defaultValue == nil
      && before.map { $0.isOptional || $0.isDerived } ?? true
  }

  /// The integers that fit an attribute which had another type; `nil` where all values do.
  var narrowedRange: ClosedRange<Int64>? {
    guard let before, before.attributeType != attribute.attributeType else { return nil }
    return attribute.attributeType == .boolean ? .int64 : attribute.attributeType.integerRange
  }
}
