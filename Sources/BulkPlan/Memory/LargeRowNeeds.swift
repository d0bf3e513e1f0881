internal import BulkStore

/// The large rows of the tables that a migration reads: those that can be streamed, and those that
/// must be held.
struct LargeRowNeeds {
  /// The largest row of a table that cannot be streamed as a whole.
  struct Held {
    let row: PlannedMemory.LargestRow
    /// The bytes of the row that are held at once.
    let bytes: Int64
    let copies: Int64

    var needed: Int64 { bytes * copies }
  }

  private(set) var streamedTables: Set<String> = []
  /// The rows that need the most memory, by source table.
  private(set) var held: [String: Held] = [:]

  private let work: MigrationWork

  /// Finds large rows by the lengths in the pages of the tables alone.
  init(_ work: MigrationWork) throws(StoreError) {
    self.work = work
    let carried = (work.unmanagedTables.tables + work.unmanagedTables.history).map(\.name)
    let read = work.transfers.entityRows.map(\.source)
    for name in Set(read + carried).sorted() {
      guard
        !work.store.hasNoRecord(above: LargeValue.bound, in: name),
        let table = work.store.schema.table(named: name)
      else { continue }
      try find(in: table)
    }
  }

  private struct Use {
    var streamed: Set<String> = []
    /// The largest number of copies of a row.
    var copies: Int64 = 3
  }

  private mutating func find(in table: FileTable) throws(StoreError) {
    // Most tables have no large rows, and then it does not matter.
    var found: Use?
    var largest: Held?
    var isStreamed = false
    func name(_ column: Int) -> String {
      column < table.columns.count ? table.columns[column].name : ""
    }
    try work.store.scanLargeRecords(of: table.name) { key, size, values in
      let use = found ?? use(of: table)
      found = use
      var bytes = size
      var value: (column: Int, bytes: Int64)?
      for next in values {
        if !next.isText, use.streamed.contains(name(next.column)) {
          isStreamed = true
          bytes -= next.bytes
        } else if next.bytes > value?.bytes ?? 0 {
          value = (next.column, next.bytes)
        }
      }
      guard bytes > Int64(LargeValue.bound), bytes > largest?.bytes ?? 0 else { return }
      largest = Held(
        row: PlannedMemory.LargestRow(
          entity: work.layout.schema.entityTable(named: table.name)?.root ?? table.name,
          key: key,
          property: value.map { property(name($0.column), of: table.name) } ?? "the row",
          bytes: value?.bytes ?? bytes
        ),
        bytes: bytes,
        copies: use.copies
      )
    }
    if isStreamed { streamedTables.insert(table.name) }
    held[table.name] = largest
  }

  private func use(of table: FileTable) -> Use {
    var result = Use()
    let creations = work.instances.creations.filter { $0.transfer.source == table.name }
    let transfers = work.transfers.entityRows.filter { $0.source == table.name }
    if creations.contains(where: \.evaluatesRows) { result.copies = 6 }
    // A policy may read anything, and a row that is changed later is read and written as a whole.
    guard !creations.contains(where: \.mapping.hasPolicy), !transfers.isEmpty,
      !transfers.contains(where: { changesLater($0.destination) })
    else { return result }
    for column in table.columns
    where transfers.allSatisfy({ streams(column.name, $0) })
      && !creations.contains(where: { $0.findsObjects(by: column.name) })
    {
      result.streamed.insert(column.name)
    }
    return result
  }

  /// Whether a transfer only copies a column if it uses it at all, and can write the bytes of the large value
  /// after the row.
  private func streams(_ column: String, _ transfer: RowTransfer) -> Bool {
    let columns = declaredTypes(of: transfer.destination)
    return transfer.assignments.allSatisfy { assignment in
      guard assignment.value.mentions(column) else { return true }
      guard assignment.value.carriedColumns.contains(column),
        let index = columns.firstIndex(where: { $0.name == assignment.column })
      else { return false }
      // Columns after it in the record must also be able to begin as zeros.
      return columns[index...].allSatisfy { $0.type == "BLOB" }
    }
  }

  private func declaredTypes(of table: String) -> [(name: String, type: String)] {
    let own = work.destination.entityTable(named: table)?.columns
      .map { ($0.name, $0.declaredType) }
    let taken = work.unmanagedTables.columns.filter { $0.destinationTable == table }
      .map { ($0.column.name, $0.column.declaredType) }
    return (own ?? []) + taken
  }

  private func changesLater(_ table: String) -> Bool {
    let filledIn = work.instances.links.contains { $0.tables.contains(table) }
    return filledIn || work.transfers.orderings.contains { $0.table == table }
      || work.destination.derivedAttributes.contains { $0.table == table }
  }

  private func property(_ column: String, of table: String) -> String {
    let columns = work.layout.schema.entityTable(named: table)?.columns ?? []
    guard
      let found = columns.first(where: { $0.name == column }),
      case .attribute(let key) = found.role
    else { return column }
    return key.property
  }
}
