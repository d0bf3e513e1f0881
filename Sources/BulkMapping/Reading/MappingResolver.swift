internal import BulkCoding
internal import BulkModel

/// Makes entity mappings from a file and two models, and records every contradiction.
struct MappingResolver {
  let file: MappingFile
  let models: ModelPair
  private(set) var faults: [DraftFault] = []
  /// Warnings, a sentence each.
  private(set) var warnings: [String] = []

  mutating func note(_ fault: DraftFault) { faults.append(fault) }

  mutating func note(_ place: MappingPlace, _ subject: String, _ reason: String) {
    note(DraftFault(place, subject, reason))
  }

  mutating func warn(_ reason: String) { warnings.append(reason) }

  /// A suggestion after an unknown name: the nearest known one, as a question.
  static func hint(_ name: String, among names: [String]) -> String {
    NearestName.of(name, among: names).map { "; did you mean \($0)?" } ?? ""
  }

  /// The entity mappings of the file, which has an index among others, without their properties.
  mutating func items(ofPart part: Int) -> [MappingItem] {
    let items = file.drafts.map { item($0, ofPart: part) }
    refuseRepeatedNames(items)
    refuseDifferentKept(items)
    checkHashes(items)
    return items
  }
}

/// A mapping model between two models, and what it was made from.
package struct MappingResolution {
  /// The mapping model, which is valid only without errors.
  package internal(set) var model: MappingModel
  /// Warnings, a sentence each.
  package internal(set) var warnings: [String]
  /// The passes that the files request, in order; empty where the plan alone decides.
  package internal(set) var passes: [PassRequest]
  /// The items from which the model's first entity mappings were made, in their order.
  let items: [MappingItem]
  /// The errors, by the index of their file among ``MappingFile/members``.
  let faults: [[DraftFault]]
}

/// Entity mappings that are carried out apart from all others.
package struct PassRequest: Hashable, Sendable {
  /// The name of the pass, or of the file whose passes these are.
  package let name: String
  /// Whether they are one pass; otherwise they are divided where no relationship connects them.
  package let isWhole: Bool
  /// The names of the entity mappings.
  package let entityMappings: Set<String>
  /// The destination entities whose objects they make.
  package let destinations: Set<String>

  init(_ name: String, isWhole: Bool, _ mappings: [EntityMapping]) {
    self.name = name
    self.isWhole = isWhole
    entityMappings = Set(mappings.map(\.name))
    destinations = Set(mappings.compactMap(\.destinationEntityName))
  }
}

extension MappingResolver {
  /// The collection whose elements become objects; `nil` if it has none.
  mutating func elements(_ draft: EntityMappingDraft) -> ValueExpression? {
    guard let text = draft.elementsText else { return nil }
    let subject = "\(draft.subject), forEach"
    if let policy = draft.policy {
      let reason =
        "policy \(policy.text) makes the objects; let it make one for each, or leave it out"
      note(text.place, subject, reason)
    }
    if draft.source == nil || draft.destination == nil {
      note(text.place, subject, "it takes a source and a destination")
    }
    return draft.elements
  }

  /// Validates the collection against the source model.
  mutating func checkElements(_ item: MappingItem, _ standard: StandardValues) {
    guard let elements = item.mapping.elements, item.source != nil else { return }
    var check = expressionCheck(item, standard, definesElement: false)
    check.visit(elements)
    let subject = "\(item.draft.subject), forEach"
    let place = item.draft.place
    report(check, of: subject) { item.draft.elementsText?.place(of: $0) ?? place }
  }

  /// The number of errors after which no more expressions are checked.
  private static let faultLimit = 1000

  func expressionCheck(
    _ item: MappingItem,
    _ standard: StandardValues,
    definesElement: Bool
  ) -> ExpressionCheck {
    var check = ExpressionCheck(
      between: models,
      entity: item.source,
      mappings: standard.mappings
    )
    check.hasPolicy = item.mapping.entityMigrationPolicyClassName != nil
    check.definesElement = definesElement
    return check
  }

  /// Validates a filter against the source model.
  mutating func checkFilter(_ item: MappingItem, _ standard: StandardValues) {
    guard let filter = item.mapping.filter else { return }
    let subject = "\(item.draft.subject), filter"
    guard item.source != nil else {
      let place = item.draft.filterText?.place ?? item.draft.place
      return note(place, subject, "there is no source whose objects it chooses")
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
    for fault in check.faults { note(place(fault.word), subject, fault.reason) }
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

extension MappingResolution {
  /// Keeps the entity mappings of a part of either model.
  ///
  /// An entity mapping between an entity of the part and one that is stored elsewhere is left out with a
  /// warning: a migration reads one store and makes one store.
  package mutating func restrict(between models: ModelPair) {
    var kept: [EntityMapping] = []
    for mapping in model.entityMappings {
      let reads = mapping.sourceEntityName.map { models.source.entity(named: $0) != nil }
      let makes = mapping.destinationEntityName.map { models.destination.entity(named: $0) != nil }
      if reads ?? true, makes ?? true {
        kept.append(mapping)
      } else if reads == true, let name = mapping.destinationEntityName {
        warnings.append(
          "entity mapping \(mapping.name) makes objects of \(name), which another store has; it is left out"
        )
      } else if makes == true, let name = mapping.sourceEntityName {
        warnings.append(
          "entity mapping \(mapping.name) reads objects of \(name), which another store has; it is left out"
        )
      }
    }
    guard kept.count < model.entityMappings.count else { return }
    model.entityMappings = kept
    passes = passes.compactMap { $0.keeping(kept) }
  }
}

extension PassRequest {
  /// The same pass with those of its entity mappings that remain; `nil` if none does.
  fileprivate func keeping(_ mappings: [EntityMapping]) -> PassRequest? {
    let own = mappings.filter { entityMappings.contains($0.name) }
    return own.isEmpty ? nil : PassRequest(name, isWhole: isWhole, own)
  }
}
