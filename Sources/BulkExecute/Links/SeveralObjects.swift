internal import BulkAssociation
internal import BulkLowering
internal import BulkModel
internal import BulkStore

/// Finds source objects that give several objects to a to-one relationship.
///
/// This is an error in Core Data (formats/migration.md 8.11); here the object made from the source
/// object violates a rule.
struct SeveralObjects {
  private let mappings: [Int64: InstanceMapping]
  private let violations: ViolationReport
  private let transactions: TransactionLog

  init(_ run: StoreRun) {
    (mappings, violations) = (run.work.instances.mappingsByIndex, run.violations)
    transactions = run.session.transactions
  }

  /// The same links of a relationship, with the links of an assignment one after the other;
  /// findings are reported as they are read.
  func reported(_ links: SortedLinks, of relationship: LinkedRelationship) -> SortedLinks {
    var last: Link?
    var isReported = false
    return SortedLinks {
      guard let link = try links.next() else { return nil }
      if let former = last, link.takesOne, link.isAssigned(with: former) {
        let far = link.assignedEnd.other
        if !isReported, former[far].object != link[far].object {
          isReported = true
          try report(former, link, relationship.form)
        }
      } else {
        isReported = false
      }
      last = link
      return link
    }
  }

  /// Unless an interrupted run has done so.
  private func report(_ one: Link, _ other: Link, _ form: RelationshipForm) throws {
    let near = one[one.assignedEnd]
    guard !transactions.isReplaying,
      let mapping = mappings[one.isUnited ? one.turn : near.maker]
    else { return }
    let objects = [one, other].map { link in
      let far = link[link.assignedEnd.other]
      return "\(mappings[far.maker]?.destination.name ?? "") \(far.object)"
    }
    try violations.add(
      Violation(
        entity: mapping.destination.name,
        key: near.object,
        origin: mapping.origin(of: near.source),
        property: (one.assignedEnd == .first ? form.first : form.second ?? form.first).property,
        rule: Violation.severalObjectsRule,
        value: objects.joined(separator: " and ")
      )
    )
  }
}
