internal import BulkCoding
internal import BulkModel

/// Makes entity mappings from a file and two models, and records every contradiction.
struct MappingResolver {
  let file: MappingFile
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  private(set) var faults: [DraftFault] = []
  /// Warnings, a sentence each.
  private(set) var warnings: [String] = []

  init(_ file: MappingFile, from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.file = file
    self.source = source
    self.destination = destination
  }

  mutating func note(_ fault: DraftFault) { faults.append(fault) }

  mutating func warn(_ reason: String) { warnings.append(reason) }

  /// A suggestion after an unknown name: the nearest known one, as a question.
  static func hint(_ name: String, among names: [String]) -> String {
    NearestName.of(name, among: names).map { "; did you mean \($0)?" } ?? ""
  }

  /// The entity mappings of the file, without their properties.
  mutating func items() -> [MappingItem] {
    var items: [MappingItem] = []
    for draft in file.drafts { items.append(item(draft)) }
    refuseRepeatedNames(items)
    refuseDifferentKept(items)
    checkHashes(items)
    return items
  }
}

/// A mapping model between two models, and what it was made from.
package struct MappingResolution {
  /// The mapping model, which is valid only if there are no errors.
  package internal(set) var model: MappingModel
  /// Warnings, a sentence each.
  package internal(set) var warnings: [String]
  /// The passes that the files request, in order; empty where the plan alone decides.
  package internal(set) var passes: [PassRequest]
  /// What the first entity mappings of the model were made from, in their order.
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
  /// The collection for each element of which an entity mapping makes an object; `nil` if it has none.
  mutating func elements(_ draft: EntityMappingDraft) -> ValueExpression? {
    guard let text = draft.elementsText else { return nil }
    let subject = "\(draft.subject), forEach"
    if let policy = draft.policy {
      let reason =
        "policy \(policy.text) makes the objects; let it make one for each, or leave it out"
      note(DraftFault(text.place, subject, reason))
    }
    if draft.source == nil || draft.destination == nil {
      note(DraftFault(text.place, subject, "it takes a source and a destination"))
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
}
