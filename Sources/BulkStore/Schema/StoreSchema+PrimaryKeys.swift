internal import BulkModel

extension StoreSchema {
  /// The rows of `Z_PRIMARYKEY`, by number, with the highest key ever handed out in each table.
  package func primaryKeyEntries(
    _ highestKey: (EntityTable) throws -> Int64
  ) rethrows -> [PrimaryKeyEntry] {
    try numbering.entities.map { entity in
      let parent = entity.superentityName.map { numbering.number(of: $0) } ?? 0
      return PrimaryKeyEntry(
        number: numbering.number(of: entity.name),
        name: entity.name,
        superentity: parent,
        highestKey: parent == 0 ? try highestKey(table(of: entity)) : 0
      )
    }
  }

  /// The rows of `Z_PRIMARYKEY`, by number, then those of the persistent history and others that are not
  /// the model's.
  ///
  /// They depend on the highest key ever handed out in a table, the rows before the migration, and
  /// the largest number of entities in any version before.
  package func primaryKeyEntries(
    _ highestKey: (EntityTable) throws -> Int64,
    before: [PrimaryKeyEntry],
    of count: Int
  ) rethrows -> [PrimaryKeyEntry] {
    let result = try primaryKeyEntries(highestKey)
    return result + before.filter { $0.number > Int64(count) && $0.number > Int64(result.count) }
  }
}

/// A row of `Z_PRIMARYKEY`.
package struct PrimaryKeyEntry: Hashable, Sendable {
  /// The entity's number, `Z_ENT`.
  package let number: Int64
  /// The entity's name, `Z_NAME`.
  package let name: String
  /// The number of its superentity, or 0; `Z_SUPER`.
  package let superentity: Int64
  /// The highest key ever handed out in its table, `Z_MAX`; always 0 for a subentity.
  package let highestKey: Int64

  package init(number: Int64, name: String, superentity: Int64, highestKey: Int64) {
    self.number = number
    self.name = name
    self.superentity = superentity
    self.highestKey = highestKey
  }
}
