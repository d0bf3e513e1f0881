internal import BulkMapping
internal import BulkModel
internal import BulkStore

extension HistoryRevision {
  /// The changes that an inferred step makes to rows of the history.
  ///
  /// Bits and tombstones follow the names of properties, so those of a renamed one are dropped
  /// (formats/migration.md 5.2, 5.5).
  init(
    _ changes: FileTable,
    from source: StoreSchema,
    to destination: StoreSchema,
    _ mapping: MappingModel
  ) {
    self.init()
    let columns = (0...).prefix { changes.column(named: Self.tombstone($0)) != nil }.count
    let needed = destination.mostTombstones
    let surplus =
      min(needed, columns)..<max(min(source.mostTombstones, columns), min(needed, columns))
    addedTombstones = Array(columns..<max(columns, needed))
    for (_, before, after) in mapping.continuations(from: source.model, to: destination.model) {
      let number = destination.numbering.number(of: after.name)
      let former = source.historyBits(of: before)
      let bits = destination.historyBits(of: after)
      if bits != former {
        masks[number] = Mask(bits: former.count, indexes: bits.map { former.firstIndex(of: $0) })
      }
      let kept = Array(source.model.tombstones(of: before).prefix(columns))
      let wanted = destination.model.tombstones(of: after)
      let indexes = (0..<max(columns, needed)).map { column in
        if column < wanted.count { return kept.firstIndex(of: wanted[column]) }
        return surplus.contains(column) ? nil : column
      }
      if indexes != Array(indexes.indices) { tombstones[number] = indexes }
    }
  }
}

extension StoreSchema {
  fileprivate var mostTombstones: Int {
    model.entities.map { model.tombstones(of: $0).count }.max() ?? 0
  }
}
