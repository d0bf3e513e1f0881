package import BulkStore

/// The rows of a version between two steps, expressed as rows of the source store.
struct VersionTables {
  /// The rows of the entity tables, by table; a table without rows is not among them.
  private let entityRows: [String: RowTransfer]
  /// The rows of the join tables, by table.
  private let joinRows: [String: [RowTransfer]]

  init(_ transfers: TransferSet) {
    entityRows = Dictionary(
      transfers.entityRows.map { ($0.destination, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    joinRows = Dictionary(grouping: transfers.joinRows, by: \.destination)
  }

  /// The transfer into an entity table; `nil` if it stays empty.
  func entityRows(of table: String) -> RowTransfer? { entityRows[table] }

  /// The transfers into a join table, in their order.
  func joinRows(of table: String) -> [RowTransfer] { joinRows[table] ?? [] }

  /// A lookup of partners in a table of the version, rewritten for a table of the store.
  ///
  /// - Returns: The lookup; `nil` where the table is empty, so there are no partners.
  /// - Throws: ``FusionBarrier`` if the table's rows and values are not those of one table.
  func lookup(_ lookup: RelationshipRows) throws(FusionBarrier) -> RelationshipRows? {
    let all = [entityRows(of: lookup.table)].compactMap(\.self) + joinRows(of: lookup.table)
    guard let transfer = all.first else { return nil }
    guard all.count == 1, transfer.keepsPairs(of: lookup) else {
      throw FusionBarrier("objects are chosen by rows of \(lookup.table) that are not made yet")
    }
    func column(_ name: String) throws(FusionBarrier) -> String {
      guard case .column(let column) = transfer.value(of: name) else {
        throw FusionBarrier(
          "objects are chosen by \(lookup.table).\(name), whose values are not made yet"
        )
      }
      return column
    }
    func place(_ name: String?) throws(FusionBarrier) -> String? {
      guard let name, transfer.value(of: name) != .null else { return nil }
      return try column(name)
    }
    var farEntities: [Int64]?
    if let wanted = lookup.farEntities {
      guard let rows = entityRows(of: lookup.farTable) else { return nil }
      farEntities = rows.entityNumbers.filter { wanted.contains($0.value) }.keys.sorted()
    }
    func source(_ table: String) -> String { entityRows(of: table)?.source ?? table }
    return RelationshipRows(
      table: transfer.source,
      nearColumn: try column(lookup.nearColumn),
      farColumn: try column(lookup.farColumn),
      nearPlaceColumn: try place(lookup.nearPlaceColumn),
      farPlaceColumn: try place(lookup.farPlaceColumn),
      nearTable: source(lookup.nearTable),
      farTable: source(lookup.farTable),
      farEntities: farEntities,
      isSymmetric: lookup.isSymmetric
    )
  }
}

extension RowTransfer {
  /// The value of a destination column; NULL where it gets none.
  package func value(of column: String) -> ColumnExpression {
    assignments.first { $0.column.uppercased() == column.uppercased() }?.value ?? .null
  }

  /// The destination's number of every entity of the source whose rows move.
  package var entityNumbers: [Int64: Int64] {
    guard case .renumbered(.column("Z_ENT"), let numbers) = value(of: "Z_ENT") else { return [:] }
    return numbers
  }

  /// Whether all rows with both keys of a pair move; a lookup finds no others.
  fileprivate func keepsPairs(of lookup: RelationshipRows) -> Bool {
    let keys = [lookup.nearColumn, lookup.farColumn].map { value(of: $0) }
    return conditions.allSatisfy { condition in
      if case .notNull(let value) = condition { keys.contains(value) } else { false }
    }
  }
}
