package import BulkStore

/// How the destination implements the indexes of its model, where that depends on the source.
///
/// Old and new versions of Core Data differ in two things, and a table that moves keeps its form: uniqueness
/// constraints in the table's statement stay there, and a join table without a second index gets none.
package struct IndexStyle: Sendable {
  /// The indexes to make.
  package let indexes: [SchemaIndex]
  /// The uniqueness constraints of tables' statements, by destination table.
  package let constraints: [String: [[String]]]

  /// The style of a new store: the indexes of the model, and nothing else.
  init(_ destination: StoreSchema) {
    indexes = destination.indexes
    constraints = [:]
  }

  init(
    _ file: FileSchema,
    from source: StoreSchema,
    to destination: StoreSchema,
    _ transfers: TransferSet
  ) {
    let unique = destination.indexes.filter(\.isUnique)
    var constraints: [String: [[String]]] = [:]
    for transfer in transfers.entityRows {
      let columns = transfer.carriedColumns
      for constraint in file.table(named: transfer.source)?.uniqueConstraints ?? [] {
        let moved = constraint.compactMap { columns[$0.uppercased()] }
        let isRequired = unique.contains {
          $0.table == transfer.destination && $0.terms.map(\.column) == moved
        }
        if isRequired { constraints[transfer.destination, default: []].append(moved) }
      }
    }
    let bare = Self.joinTablesWithoutIndex(file, source, transfers)
    self.constraints = constraints
    indexes = destination.indexes.filter { index in
      let stated = constraints[index.table] ?? []
      let isStated = index.isUnique && stated.contains(index.terms.map(\.column))
      return !isStated && !bare.contains(index.table)
    }
  }

  /// The destination's join tables that continue one without a second index.
  private static func joinTablesWithoutIndex(
    _ file: FileSchema,
    _ source: StoreSchema,
    _ transfers: TransferSet
  ) -> Set<String> {
    let indexed = Set(file.objects.filter { $0.kind == .index }.map(\.table))
    let bare = Set(source.joinTables.map(\.name).filter { !indexed.contains($0) })
    return Set(transfers.joinRows.filter { bare.contains($0.source) }.map(\.destination))
  }
}
