internal import BulkModel

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
