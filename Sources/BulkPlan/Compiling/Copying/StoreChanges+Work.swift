internal import BulkModel
package import BulkStore

extension StepWork {
  /// Throws ``CopyObstacle`` if rows are not only kept, or something cannot be changed in place.
  package func changes() throws(CopyObstacle) -> StoreChanges {
    guard keepsKeys else { throw CopyObstacle("a mapping model creates new objects") }
    try refuseVirtualTables()
    let tables = try entityChanges() + joinChanges()
    let (kept, new) = sortedIndexes(tables)
    let strangers = Set(layout.unmanagedObjects)
    return StoreChanges(
      tables: tables,
      removedTables: removedTables(tables),
      newTables: newTables(tables) + definition.columnStatements,
      keptIndexes: Set(kept.map(\.name)),
      newIndexes: new,
      removedObjects: file.objects.filter { object in
        !(object.kind == .virtualTable && strangers.contains(object)) && !kept.contains(object)
          && !layout.historyIndexes.contains(object)
      }
    )
  }

  private func refuseVirtualTables() throws(CopyObstacle) {
    let kept = Set(unmanagedObjects.kept.map(\.object))
    for table in layout.unmanagedObjects
    where table.kind == .virtualTable && !kept.contains(table) {
      throw CopyObstacle("the virtual table \(table.name) is left behind")
    }
  }

  private func entityChanges() throws(CopyObstacle) -> [TableChange] {
    let added = Dictionary(grouping: unmanagedTables.columns, by: \.destinationTable)
    var changes: [TableChange] = []
    for transfer in transfers.entityRows {
      guard let table = destination.entityTable(named: transfer.destination)
      else { continue }
      let found = try kept(transfer, "entity \(table.root)")
      try refuseConstraints(found, transfer, "entity \(table.root)")
      let columns = table.columns.map {
        FileTable.Column(name: $0.name, declaredType: $0.declaredType)
      }
      let strangers = (added[table.name] ?? []).map(\.column)
      changes.append(try TableChange(transfer, of: found, into: columns + strangers))
    }
    return changes
  }

  private func joinChanges() throws(CopyObstacle) -> [TableChange] {
    var changes: [TableChange] = []
    for transfer in transfers.joinRows {
      guard let table = destination.joinTables.first(where: { $0.name == transfer.destination })
      else { continue }
      let subject = "relationship \(table.owner)"
      let found = try kept(transfer, subject)
      guard transfers.joinRows.count(where: { $0.destination == table.name }) == 1 else {
        throw CopyObstacle("\(subject): its pairs come from several locations")
      }
      let before = found.primaryKey.map { transfer.carriedColumns[$0.uppercased()] }
      guard before == table.primaryKey else {
        throw CopyObstacle("\(subject): its pairs have another key")
      }
      let columns = table.columns.map { FileTable.Column(name: $0, declaredType: "INTEGER") }
      changes.append(try TableChange(transfer, of: found, into: columns))
    }
    return changes
  }

  /// All of the rows must stay where they are.
  private func kept(
    _ transfer: RowTransfer,
    _ subject: String
  ) throws(CopyObstacle) -> FileTable {
    let uses = (transfers.entityRows + transfers.joinRows).count { $0.source == transfer.source }
    guard uses == 1 else {
      throw CopyObstacle("\(subject): rows of \(transfer.source) go to several tables")
    }
    guard transfer.movesAllRows else {
      throw CopyObstacle("\(subject): not all rows of \(transfer.source) are kept")
    }
    guard let found = file.table(named: transfer.source) else {
      throw CopyObstacle("\(subject): there is no table \(transfer.source)")
    }
    guard found.isPlain else {
      throw CopyObstacle("\(subject): the statement of \(found.name) states more than columns")
    }
    return found
  }

  private func refuseConstraints(
    _ table: FileTable,
    _ transfer: RowTransfer,
    _ subject: String
  ) throws(CopyObstacle) {
    let columns = transfer.carriedColumns
    let stated = table.uniqueConstraints.map { $0.map { columns[$0.uppercased()] } }
    let wanted = (indexStyle.constraints[transfer.destination] ?? []).map { $0.map(Optional.init) }
    guard Set(stated) == Set(wanted) else {
      throw CopyObstacle(
        "\(subject): the statement of \(table.name) holds a uniqueness that is removed"
      )
    }
  }

  private func removedTables(_ kept: [TableChange]) -> [String] {
    let names = Set(kept.map { $0.source.uppercased() })
    let own = layout.schema.entityTables.map(\.name) + layout.schema.joinTables.map(\.name)
    let history = unmanagedTables.history.isEmpty ? layout.historyTables.map(\.name) : []
    return own.filter { !names.contains($0.uppercased()) } + history
  }

  private func newTables(_ kept: [TableChange]) -> [String] {
    let names = Set(kept.map(\.destination))
    return destination.entityTables.filter { !names.contains($0.name) }
      .map { definition.statement(of: $0) }
      + destination.joinTables.filter { !names.contains($0.name) }.map { SchemaSQL.create($0) }
  }

  /// Those of the file that the destination has too, whatever their names, and those to make.
  private func sortedIndexes(
    _ tables: [TableChange]
  ) -> (kept: [FileObject], new: [SchemaIndex]) {
    let changes = Dictionary(firstOf: tables.map { ($0.source.uppercased(), $0) })
    let strangers = Set(layout.unmanagedObjects)
    var wanted = indexStyle.indexes
    var kept: [(object: FileObject, index: SchemaIndex)] = []
    for object in file.objects where object.kind == .index && !strangers.contains(object) {
      guard
        let signature = object.signature, let change = changes[signature.table],
        let moved = change.moved(signature),
        let position = wanted.firstIndex(where: { $0.signature == moved })
      else { continue }
      kept.append((object, wanted.remove(at: position)))
    }
    // A name that a new index needs may be that of one that stays.
    while let position = kept.firstIndex(where: { entry in
      wanted.contains { $0.name.uppercased() == entry.object.name.uppercased() }
    }) {
      wanted.append(kept.remove(at: position).index)
    }
    let new = Set(wanted)
    return (kept.map(\.object), indexStyle.indexes.filter(new.contains))
  }
}

extension TableChange {
  fileprivate init(
    _ transfer: RowTransfer,
    of table: FileTable,
    into columns: [FileTable.Column]
  ) throws(CopyObstacle) {
    let assigned = Dictionary(firstOf: transfer.assignments.map { ($0.column, $0.value) })
    var taken: Set<String> = []
    var (renamed, added): ([Rename], [FileTable.Column]) = ([], [])
    var (values, checked): ([RowTransfer.Assignment], Set<String>) = ([], [])
    for column in columns {
      let value = assigned[column.name] ?? .null
      guard
        let kept = value.keptColumn.flatMap({ table.column(named: $0) }),
        kept.isDeclared(as: column, isKey: table.rowIDColumn == kept.name),
        taken.insert(kept.name.uppercased()).inserted
      else {
        added.append(column)
        if value != .null { values.append(.init(column.name, value)) }
        continue
      }
      if kept.name.uppercased() != column.name.uppercased() {
        renamed.append(Rename(kept.name, to: column.name))
      }
      guard !value.isUnchanged(kept.name) else { continue }
      values.append(.init(column.name, value))
      if value.isColumn(named: kept.name) { checked.insert(column.name) }
    }
    self.init(
      table.name,
      to: transfer.destination,
      dropped: table.columns.map(\.name).filter { !taken.contains($0.uppercased()) },
      renamed: renamed,
      added: added,
      values: values,
      checked: checked
    )
  }

  /// As it is afterwards; `nil` if it has to be rebuilt.
  fileprivate func moved(_ signature: IndexSignature) -> IndexSignature? {
    let names = Dictionary(firstOf: renamed.map { ($0.before.uppercased(), $0.after) })
    let gone = Set(dropped.map { $0.uppercased() })
    let written = Set(values.map(\.column)).subtracting(checked).map { $0.uppercased() }
    var columns: [String: String] = [:]
    for name in signature.terms.compactMap(\.column) where !gone.contains(name) {
      let after = names[name] ?? name
      // Sorting all entries takes less time than changing them one by one.
      if !written.contains(after.uppercased()) { columns[name] = after }
    }
    return signature.moved(to: destination, columns: columns)
  }
}

extension ColumnExpression {
  /// `nil` if no source column becomes the column with these values.
  fileprivate var keptColumn: String? {
    guard case .byEntity(let cases) = self else { return carriedColumn }
    let carried = Set(cases.compactMap(\.value.carriedColumn))
    return carried.count == 1 ? carried.first : nil
  }

  /// Whether every row has the value in a column already.
  ///
  /// A plan is made only for a store whose rows are all of known entities.
  fileprivate func isUnchanged(_ column: String) -> Bool {
    if case .column = self { return true }
    return column == "Z_ENT" && isColumn(named: column)
  }
}

extension FileTable.Column {
  fileprivate func isDeclared(as other: FileTable.Column, isKey: Bool) -> Bool {
    isKey ? other.name == "Z_PK" : declaredType.uppercased() == other.declaredType.uppercased()
  }
}

extension FileTable {
  /// Whether its statement lists columns with their types, keys and uniqueness, and nothing else.
  fileprivate var isPlain: Bool {
    let words = sql.uppercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(
      String.init
    )
    return !hasHiddenColumns && hasRowID && Self.furtherWords.isDisjoint(with: words)
  }

  private static let furtherWords: Set<String> = [
    "AS", "AUTOINCREMENT", "CHECK", "COLLATE", "CONFLICT", "DEFAULT", "DEFERRABLE", "DESC",
    "GENERATED", "NOT", "REFERENCES", "STRICT", "WITHOUT",
  ]
}

/// The reason why a store cannot be copied and changed, but must be rebuilt.
package struct CopyObstacle: Error, Hashable, Sendable {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}
