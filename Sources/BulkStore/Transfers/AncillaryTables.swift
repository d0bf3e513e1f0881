internal import BulkSQLite

/// A column outside of the model's tables that has the numbers of entities: of the persistent
/// history, and of the tables that mirror objects with CloudKit.
package struct AncillaryColumn: Hashable, Sendable {
  package let table: String
  package let column: String

  /// The changes of the persistent history.
  package static let history = AncillaryColumn(table: "ACHANGE", column: "ZENTITY")

  /// All such columns (formats/migration.md 5.4, 6.3).
  package static let all = [
    history,
    AncillaryColumn(table: "ANSCKRECORDMETADATA", column: "ZENTITYID"),
    AncillaryColumn(table: "ANSCKHISTORYANALYZERSTATE", column: "ZENTITYID"),
  ]

  package init?(of table: FileTable) {
    guard
      let found = Self.all.first(where: { known in
        known.table == table.name && table.columns.contains { $0.name == known.column }
      })
    else { return nil }
    self = found
  }

  private init(table: String, column: String) { (self.table, self.column) = (table, column) }
}

/// The tables in which Core Data mirrors objects with CloudKit.
package enum MirroringTables {
  /// The table of the many-to-many relationships that are mirrored pair by pair, by entity and relationship.
  package static let relationships = "ANSCKMIRROREDRELATIONSHIP"

  package static func contains(_ table: String) -> Bool { table.hasPrefix("ANSCK") }

  /// Whether a store with some tables is mirrored (formats/migration.md 6).
  package static func areAmong(_ tables: [FileTable]) -> Bool {
    tables.contains { table in
      ["ANSCKRECORDMETADATA", "ANSCKHISTORYANALYZERSTATE"].contains(table.name)
    }
  }

  /// Whether its rows describe objects, by the number of the entity and the key.
  package static func describesObjects(_ table: FileTable) -> Bool {
    contains(table.name)
      && ["ZENTITYID", "ZENTITYPK"].allSatisfy { table.column(named: $0) != nil }
  }

  package static func are(_ removed: [PropertyKey]) -> ColumnExpression {
    .any(
      removed.map {
        [
          .equality(.column("ZCDENTITYNAME"), .constant(.text($0.entity))),
          .equality(.column("ZRELATIONSHIPNAME"), .constant(.text($0.property))),
        ]
      }
    )
  }
}
