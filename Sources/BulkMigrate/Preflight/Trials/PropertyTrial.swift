internal import BulkExecute
internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// One property of an entity mapping, ready to be evaluated for objects.
struct PropertyTrial {
  private enum Source {
    /// With the schema that names objects.
    case evaluated(ObjectEvaluation, StoreSchema)
    /// The value is the same for all objects.
    case constant(TrialValue)
    /// Nothing is evaluated.
    case unknown
    case failing(TrialError)
  }

  private let kind: TriedValue.Kind
  private let name: String
  private let by: String
  private var source: Source
  private var note: String?
  /// `nil` for what is none.
  private let attribute: AttributeDescription?
  /// Whether a value that the model does not allow is copied anyway.
  private var copiesAnything = false
  private let error: (String) -> TrialError

  func value(of key: Int64, _ element: ObjectEvaluation.Element?) throws -> TriedValue {
    var result = TriedValue(kind, name, by: by)
    result.note = note
    switch source {
    case .unknown: break
    case .constant(let value): result.after = value
    case .failing(let error): result.error = error
    case .evaluated(let evaluation, let schema):
      guard let found = try evaluation.result(of: key, element) else { break }
      result.before = found.inputs.map {
        TriedValue.Input(path: $0.path, value: TrialValue($0.value, in: schema))
      }
      switch found.outcome {
      case .value(let value):
        if kind == .attribute { result.after = TrialValue(value, in: schema) }
      case .fault(let reason): result.error = error(reason)
      case .unreadable(let reason):
        result.before = []
        if copiesAnything {
          result.note = "\(reason), which is copied as it is"
        } else {
          result.error = error(reason)
        }
      }
    }
    if result.after == .attribute(.null), attribute?.isOptional == false {
      result.note = "it is required, and gets nil"
    }
    return result
  }
}

extension PropertyTrial {
  /// What properties of an entity mapping are made with.
  struct Context {
    let mapping: EntityMapping
    let entity: EntityDescription
    /// The type of `$element`; `nil` if the variable does not exist.
    var element: ExpressionType?
    let objects: ObjectSource
    let error: (_ reason: String, _ property: String) -> TrialError
  }

  /// A property of which nothing is evaluated, or whose expression is known to be wrong.
  init(
    _ kind: TriedValue.Kind,
    _ name: String,
    by: String,
    _ context: Context,
    for attribute: AttributeDescription? = nil,
    failing fault: TrialError? = nil
  ) {
    (self.kind, self.name, self.by, self.attribute) = (kind, name, by, attribute)
    source = fault.map { .failing($0) } ?? .unknown
    error = { context.error($0, name) }
  }

  /// Prepares to evaluate an expression; what keeps it from that becomes the error of every object.
  private mutating func evaluate(_ expression: ValueExpression, _ context: Context) throws {
    do {
      let evaluation = try ObjectEvaluation(
        expression,
        of: context.entity,
        element: kind == .attribute ? context.element : nil,
        for: attribute,
        in: context.objects
      )
      source = .evaluated(evaluation, context.objects.schema)
      if let name = evaluation.copiedAttribute { copies(name, context) }
    } catch let fault as ExpressionFault {
      source = .failing(error(fault.description))
    }
  }

  /// Notes that the value is that of a source attribute, or nil.
  private mutating func copies(_ name: String, _ context: Context) {
    let before = context.objects.schema.model.leaf(named: name, of: context.entity)?.attribute
    copiesAnything = attribute != nil && before?.attributeType == attribute?.attributeType
  }

  init(_ attribute: AttributeDescription, _ context: Context) throws {
    let meaning = context.mapping.attribute(attribute.name)
    self.init(.attribute, attribute.name, by: meaning.text(for: attribute), context, for: attribute)
    if attribute.isDerived {
      note = "derived when the destination is complete"
      return
    }
    switch meaning {
    case .defaultValue: source = .constant(.attribute(attribute.defaultValue ?? .null))
    case .constant(let value): try evaluate(.constant(value), context)
    case .expression(let expression): try evaluate(expression, context)
    case .policy(let selector, _):
      note = "made by \(selector) of the policy \(context.policy), which is not run here"
    case .copy(let path):
      try evaluate(InferredValue.copy(path), context)
    case .copyOrDefault(let name):
      let copy = InferredValue.copy(name)
      guard let value = attribute.defaultValue else {
        try evaluate(copy, context)
        return
      }
      let isNil = ValuePredicate.comparison(.init(copy, .equalTo, .constant(.null)))
      try evaluate(.ternary(isNil, then: .constant(value), otherwise: copy), context)
      copies(name, context)
    }
  }

  /// The source objects of a relationship; those of the destination exist only in a run.
  init(_ relationship: RelationshipDescription, _ context: Context) throws {
    let name = relationship.name
    let meaning = context.mapping.relationship(name)
    self.init(
      .relationship,
      name,
      by: meaning?.text ?? "set from its inverse, if that is set",
      context
    )
    switch meaning {
    case nil: break
    case .nothing: source = .constant(.attribute(.null))
    case .unsupported(let reason): source = .failing(error(reason))
    case .policy(let selector, _):
      note = "given by \(selector) of the policy \(context.policy), which is not run here"
    case .instances(let path, _):
      let origin = ValueExpression.variable("source")
      try evaluate(
        path.isEmpty ? origin : .keyPath(path.joined(separator: "."), of: origin),
        context
      )
    }
  }
}

extension PropertyTrial.Context {
  fileprivate var policy: String { mapping.entityMigrationPolicyClassName ?? "" }
}

extension AttributeMeaning {
  /// What makes the value, in the words of a mapping file.
  fileprivate func text(for attribute: AttributeDescription) -> String {
    switch self {
    case .defaultValue: "the model's default value"
    case .copy(attribute.name): "copied"
    case .copy(let path): "\(InferredValue.copy(path))"
    case .copyOrDefault(let name): "\(InferredValue.copy(name)), or the model's default value"
    case .constant(let value): "\(ValueExpression.constant(value))"
    case .policy(let selector, _): "FUNCTION($entityPolicy, \"\(selector)\", …)"
    case .expression(let expression): "\(expression)"
    }
  }
}

extension RelationshipMeaning {
  fileprivate var text: String {
    switch self {
    case .nothing: "nil"
    case .unsupported: "no destination objects"
    case .policy(let selector, _): "FUNCTION($entityPolicy, \"\(selector)\", …)"
    case .instances(_, of: let name?): "made by \(name) in the run"
    case .instances(_, of: nil): "what is made in a run"
    }
  }
}
