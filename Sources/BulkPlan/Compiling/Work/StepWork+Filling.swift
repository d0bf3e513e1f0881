internal import BulkMapping
package import BulkStore

extension StepWork {
  var keptRows: [RowTransfer] { keepsKeys ? transfers.entityRows : [] }

  var hasPoliciesWithoutSource: Bool {
    mapping.entityMappings.contains {
      $0.sourceEntityName == nil && $0.entityMigrationPolicyClassName != nil
    }
  }

  package var hasPolicies: Bool {
    !keepsKeys && mapping.entityMappings.contains { $0.entityMigrationPolicyClassName != nil }
  }

  /// In the order in which tables are announced to a sink; policies insert more.
  ///
  /// `streamed` are the source tables with values that are streamed.
  private func fills(streaming streamed: Set<String>) -> [RowFill] {
    WorkList(filling: self, in: [PassContents(allOf: self)]).fills(of: self, streaming: streamed)
  }

  /// With the indexes over columns that get their values with the rows; `nil` if policies insert rows at any
  /// time.
  package func pageFills(streaming streamed: Set<String>) -> PageFills? {
    guard !hasPolicies else { return nil }
    let waiting = waitingIndexes
    return PageFills(
      fills(streaming: streamed),
      indexes: indexStyle.indexes.filter { !waiting.contains($0.name) }
    )
  }

  /// All others can be made before all rows are written.
  private var waitingIndexes: Set<String> {
    let all = fills(streaming: [])
    let (fills, series) = (Dictionary(grouping: all, by: \.table), all.series)
    let later = columnsSetLater
    return Set(
      indexStyle.indexes.filter { index in
        let rows = fills[index.table] ?? []
        return rows.contains(where: \.needsSQL) || rows.count > 1 && series[index.table] == nil
          || index.terms.contains { later[index.table]?.contains($0.column) == true }
      }.map(\.name)
    )
  }

  private var columnsSetLater: [String: Set<String>] {
    var result: [String: Set<String>] = [:]
    for link in instances.links where link.rowNumber == nil {
      guard case .rows(let all) = link.storage else { continue }
      for columns in all {
        result[columns.table, default: []].formUnion(
          [columns.key, columns.entity, columns.orderColumn].compactMap(\.self)
        )
      }
    }
    return result
  }

  /// Because the store does not have the constraint.
  package var mayRepeatValues: Bool {
    !UniquenessProof(file).unproven(indexStyle.uniqueness, by: transfers).isEmpty
      || indexStyle.indexes.contains { $0.isUnique && $0.condition != nil }
  }
}
