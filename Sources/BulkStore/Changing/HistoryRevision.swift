internal import BulkSQLite

/// The changes that a migration makes to rows of the persistent history apart from renumbering
/// entities: the masks of updated columns, and the values that deleted objects leave, their
/// tombstones.
///
/// Source: formats/store.md 10.3 and 10.4 and formats/migration.md 5.2 and 5.5.
package struct HistoryRevision: Hashable, Sendable {
  /// The change of an entity's masks.
  package struct Mask: Hashable, Sendable {
    /// The number of bits before.
    package let bits: Int
    /// The new position of each bit; `nil` for a bit whose property did not exist.
    package let indexes: [Int?]

    package init(bits: Int, indexes: [Int?]) { (self.bits, self.indexes) = (bits, indexes) }
  }

  /// The changes of masks, by the numbers of entities in the destination.
  package var masks: [Int64: Mask] = [:]
  /// The column from which each tombstone's value comes, `nil` for none; by the numbers of entities in the destination.
  package var tombstones: [Int64: [Int?]] = [:]
  package var addedTombstones: [Int] = []

  package init() {}

  /// Both changes, one after the other, without the version between them.
  package func followed(
    by next: HistoryRevision,
    _ numbers: [Int64: Int64]
  ) -> HistoryRevision {
    var result = next
    result.addedTombstones = addedTombstones + next.addedTombstones
    for (number, mask) in masks {
      guard let last = numbers[number] else { continue }
      let indexes = next.masks[last]?.indexes.map { $0.flatMap { mask.indexes[$0] } }
      result.masks[last] = Mask(bits: mask.bits, indexes: indexes ?? mask.indexes)
    }
    for (number, indexes) in tombstones {
      guard let last = numbers[number] else { continue }
      let later = next.tombstones[last] ?? Array(indexes.indices)
      result.tombstones[last] = later.map { $0.flatMap { $0 < indexes.count ? indexes[$0] : $0 } }
    }
    return result
  }

  var columnStatements: [String] {
    addedTombstones.map {
      "ALTER TABLE main.\(AncillaryColumn.history.table) ADD COLUMN \(Self.tombstone($0)) BLOB"
    }
  }

  /// The statements that set the values of changes with row ids from parameter 1 to parameter 2, when entities have
  /// their new numbers.
  var updates: [String] {
    let masks = masks.mapValues { SQLText.mask(of: "ZCOLUMNS", bits: $0.bits, at: $0.indexes) }
    let width = tombstones.values.map(\.count).max() ?? 0
    let setters = (0..<width).compactMap { column -> String? in
      let values = tombstones.compactMapValues { indexes -> String? in
        guard indexes.indices.contains(column), indexes[column] != column else { return nil }
        return indexes[column].map(Self.tombstone) ?? "NULL"
      }
      return values.isEmpty ? nil : Self.setter(Self.tombstone(column), values)
    }
    return [
      masks.isEmpty ? nil : Self.update([Self.setter("ZCOLUMNS", masks)], ofType: 1, masks.keys),
      setters.isEmpty ? nil : Self.update(setters, ofType: 2, tombstones.keys),
    ].compactMap(\.self)
  }

  private static func setter(_ column: String, _ values: [Int64: String]) -> String {
    let cases = values.sorted { $0.key < $1.key }.map { "WHEN \($0.key) THEN \($0.value)" }
    return "\(column) = CASE ZENTITY \(cases.joined(separator: " ")) ELSE \(column) END"
  }

  private static func update(
    _ setters: [String],
    ofType type: Int,
    _ entities: some Collection<Int64>
  ) -> String {
    "UPDATE main.\(AncillaryColumn.history.table) SET \(setters.joined(separator: ", ")) "
      + "WHERE rowid BETWEEN ?1 AND ?2 AND ZCHANGETYPE = \(type) "
      + "AND ZENTITY IN (\(ColumnExpression.list(entities.sorted())))"
  }

  package static func tombstone(_ number: Int) -> String { "ZTOMBSTONE\(number)" }
}
