internal import BulkModel

extension MappingResolver {
  /// The number of errors after which no more expressions are checked.
  private static let faultLimit = 1000

  func expressionCheck(
    _ item: MappingItem,
    _ standard: StandardValues,
    definesElement: Bool
  ) -> ExpressionCheck {
    ExpressionCheck(
      from: source,
      to: destination,
      entity: item.source,
      mappings: standard.mappings,
      hasPolicy: item.mapping.entityMigrationPolicyClassName != nil,
      definesElement: definesElement
    )
  }

  /// Validates a filter against the source model.
  mutating func checkFilter(_ item: MappingItem, _ standard: StandardValues) {
    guard let filter = item.mapping.filter else { return }
    let subject = "\(item.draft.subject), filter"
    guard item.source != nil else {
      let place = item.draft.filterText?.place ?? item.draft.place
      return note(
        DraftFault(place, subject, "there is no source whose objects it chooses")
      )
    }
    var check = expressionCheck(item, standard, definesElement: false)
    check.checkFilter(filter)
    let place = item.draft.place
    report(check, of: subject) { item.draft.filterText?.place(of: $0) ?? place }
  }

  /// Validates the value of a property against the models and the property.
  mutating func check(
    _ value: ValueExpression?,
    of draft: PropertyMappingDraft,
    kind: String,
    _ item: MappingItem,
    standard: StandardValues,
    _ compare: (inout ExpressionCheck, ValueExpression) -> Void
  ) {
    guard let value, faults.count < Self.faultLimit else { return }
    let definesElement = kind == "attribute" && item.draft.elementsText != nil
    var check = expressionCheck(item, standard, definesElement: definesElement)
    compare(&check, value)
    report(check, of: "\(item.draft.subject), \(kind) \(draft.name)", draft.place(of:))
  }

  mutating func report(
    _ check: ExpressionCheck,
    of subject: String,
    _ place: (String) -> MappingPlace
  ) {
    for reason in check.warnings { warn("\(subject): \(reason)") }
    for fault in check.faults { note(DraftFault(place(fault.word), subject, fault.reason)) }
  }
}

extension ExpressionFault {
  /// The word of an expression's text to which the error refers; empty for the whole expression.
  var word: String {
    switch self {
    case .unknownKey(let name, _, _), .transientKey(let name, _), .keyOfValue(let name, _),
      .unknownOperator(let name, _), .unknownCast(let name, _), .badPattern(let name, _):
      name
    case .unknownVariable(let name, _), .unsupportedVariable(let name): "$" + name
    case .needsManager(let selector), .needsPolicy(let selector): selector
    case .noMethod(let selector, _): Self.written(selector)
    case .unsupportedFunction(let name, _), .wrongArgumentCount(let name, _, _):
      Self.written(name)
    case .wrongType(let place, _, _): Self.written(place)
    case .unsupportedExpression, .alwaysFails, .wrongAttributeType, .tooDeep: ""
    }
  }

  /// The operators that denote functions in a text.
  private static let signs = [
    "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
    "raise:toPower:": "**", "[ ]": "[",
  ]

  /// The text form of a function or an operator: its sign, or the beginning of its name.
  private static func written(_ name: String) -> String {
    signs[name] ?? String(name.prefix { $0 != ":" && $0 != " " })
  }
}
