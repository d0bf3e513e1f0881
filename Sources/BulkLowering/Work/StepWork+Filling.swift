internal import BulkMapping
package import BulkStore

extension StepWork {
  /// The rows of objects that keep their keys, table by table.
  var keptRows: [RowTransfer] { keepsKeys ? transfers.entityRows : [] }

  /// Whether policies may make objects from nothing.
  var hasPoliciesWithoutSource: Bool {
    mapping.entityMappings.contains {
      $0.sourceEntityName == nil && $0.entityMigrationPolicyClassName != nil
    }
  }

  /// Whether policies make objects.
  package var hasPolicies: Bool {
    !keepsKeys && mapping.entityMappings.contains { $0.entityMigrationPolicyClassName != nil }
  }

  /// The rows that tables get, one table after another as they are announced to a sink; policies insert more.
  ///
  /// `streamed` are the source tables with values that are streamed.
  private func fills(streaming streamed: Set<String>) -> [RowFill] {
    WorkList(filling: self, in: [PassContents(allOf: self)]).fills(of: self, streaming: streamed)
  }

  /// The rows that may be written as pages, with the indexes over columns that get their values with the rows; `nil`
  /// if policies insert rows at any time.
  package func pageFills(streaming streamed: Set<String>) -> PageFills? {
    guard !hasPolicies else { return nil }
    let waiting = waitingIndexes
    return PageFills(
      fills(streaming: streamed),
      indexes: indexStyle.indexes.filter { !waiting.contains($0.name) }
    )
  }

  /// The names of the indexes that must be made when all rows are written; all others can be made before.
  private var waitingIndexes: Set<String> {
    let all = fills(streaming: [])
    let (fills, series) = (Dictionary(grouping: all, by: \.table), all.series)
    let later = columnsSetLater
    return Set(
      indexStyle.indexes.filter { index in
        let rows = fills[index.table] ?? []
        return rows.contains(where: \.mayRepeat) || rows.count > 1 && series[index.table] == nil
          || index.terms.contains { later[index.table]?.contains($0.column) == true }
      }.map(\.name)
    )
  }

  /// The columns that get their values when all rows are written, by table.
  private var columnsSetLater: [String: Set<String>] {
    var result: [String: Set<String>] = [:]
    for link in instances.links where link.rowNumber == nil {
      guard case .rows(let all) = link.storage else { continue }
      for columns in all {
        result[columns.table, default: []].formUnion(
          [columns.key, columns.entity, columns.place].compactMap(\.self)
        )
      }
    }
    return result
  }

  /// Whether the destination may have objects that violate a uniqueness constraint, because the store does not
  /// have it.
  package var mayRepeatValues: Bool {
    !UniquenessProof(file).unproven(indexStyle.uniqueness, by: transfers).isEmpty
      || indexStyle.indexes.contains { $0.isUnique && $0.condition != nil }
  }
}
