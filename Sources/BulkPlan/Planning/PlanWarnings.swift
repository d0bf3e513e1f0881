internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Finds what deserves a look before a plan is run.
struct PlanWarnings {
  private let work: MigrationWork
  private let counts: RowCounts

  init(_ work: MigrationWork, counts: RowCounts) {
    self.work = work
    self.counts = counts
  }

  /// The warnings, a sentence each.
  ///
  /// - Throws: ``PlanError/badRows(_:)`` where going on would give a wrong store.
  func warnings() throws -> [String] {
    try refuseObjectsOfAbstractEntities()
    return stale() + removed() + leftBehind() + (try narrowed())
  }

  private func refuseObjectsOfAbstractEntities() throws(PlanError) {
    let reasons = work.mapping.entityMappings.compactMap { mapping -> String? in
      guard
        let name = mapping.destinationEntityName,
        let entity = work.destination.model.entity(named: name), entity.isAbstract,
        let source = mapping.sourceEntityName,
        let rows = counts.byEntity[work.layout.schema.numbering.number(of: source)], rows > 0
      else { return nil }
      return "\(rows) objects of \(source) would become objects of \(name), which is abstract; "
        + "write a mapping model that says what they become"
    }
    guard reasons.isEmpty else { throw .badRows(reasons) }
  }

  private func stale() -> [String] {
    work.layout.staleNames.sorted { $0.key < $1.key }.map { number, name in
      "Z_PRIMARYKEY still calls entity \(number) \(name), from before a renaming; "
        + "the destination has the model's name"
    }
  }

  private func removed() -> [String] {
    work.mapping.entityMappings.compactMap { mapping in
      guard
        mapping.kind == .remove, let name = mapping.sourceEntityName,
        let rows = counts.byEntity[work.layout.schema.numbering.number(of: name)], rows > 0
      else { return nil }
      return "entity \(name) is removed with \(rows) \(rows == 1 ? "object" : "objects")"
    }
  }

  private func leftBehind() -> [String] {
    work.carriage.leftBehind.map { "\($0) is left behind" }
  }

  /// To-many relationships that become to-one lose all members but the first.
  private func narrowed() throws -> [String] {
    var result: Set<String> = []
    for transfer in work.transfers.entityRows {
      for assignment in transfer.assignments {
        for lookup in assignment.value.lookups {
          let lost = try work.store.partnersLeftOut(by: lookup)
          guard lost > 0 else { continue }
          result.insert(
            "\(transfer.destination).\(assignment.column) keeps the first of several objects; "
              + "\(lost) are dropped from the relationship"
          )
        }
      }
    }
    return result.sorted()
  }
}
