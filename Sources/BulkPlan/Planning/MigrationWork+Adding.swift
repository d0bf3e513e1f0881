internal import BulkModel
internal import BulkStore

extension MigrationWork {
  /// Whether the schema only grows: every row stays as it is, and keeps no rule that the source does not have.
  ///
  /// No row is read to find out. A migration in place then needs neither the digest, as the store is locked with the
  /// attributes that it had when its schema was read, nor counts, as no row is written or lost.
  var onlyAdds: Bool {
    guard let changes = try? step.changes(), changes.onlyAdd,
      (try? ancillaryChanges().isEmpty) == true, changes.obstacle(in: self.file) == nil
    else { return false }
    let tables = self.unmanagedTables
    return WorkList(changing: step, by: changes).entries.allSatisfy(\.item.isOfSchema)
      && tables.tablesLeftBehind.isEmpty && tables.columnsLeftBehind.isEmpty
      && self.choices.isEmpty && self.externalColumns.isEmpty
      && self.singleSteps.allSatisfy { $0.isInferred && $0.differences.isEmpty }
      && self.successions.allSatisfy(keepsRules)
  }

  private func keepsRules(_ succession: EntitySuccession) -> Bool {
    let (before, after) = (self.layout.schema.model, self.destination.model)
    guard let source = succession.source.flatMap({ before.entity(named: $0) }) else { return true }
    guard let entity = succession.destination.flatMap({ after.entity(named: $0) }),
      !entity.isAbstract
    else { return false }
    let mandatory = before.relationships(of: source).filter(\.isMandatory).map(\.name)
    return after.relationships(of: entity).allSatisfy {
      !$0.isMandatory || mandatory.contains($0.name)
    }
      && AttributeOrigins(along: succession).results.allSatisfy {
        !$0.mayLackValue && $0.narrowedRange == nil
      }
  }
}
