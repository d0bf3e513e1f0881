internal import BulkSQLite
internal import BulkModel

/// An R-tree that finds rows of an entity table by numbers, such as a latitude and a longitude.
///
/// It has the rows in which all its columns are set, whatever their entity, and triggers keep it so
/// (formats/store.md 7.11).
package struct RTree: Hashable, Sendable {
  package let name: String
  package let table: String
  /// One for each dimension.
  let columns: [String]
  /// Whether it is that of a location, whose triggers test no value: a row without one counts as at
  /// 0, 0 once the application saves it.
  let isOfLocation: Bool

  static let mostColumns = 5

  /// Its name, and those of the tables behind it and of its triggers, in upper case.
  var allNames: Set<String> {
    let behind = ["", "_node", "_rowid", "_parent"].map { name + $0 }
    return Set((behind + triggers.map(\.name)).map { $0.uppercased() })
  }

  /// The statements that make it, and fill it with the rows that are there.
  package var statements: [String] {
    let key = "Z_PK INTEGER PRIMARY KEY"
    let sides = bounds.map { "\($0) FLOAT" }
    let values = columns.flatMap { ["s.\(SchemaSQL.name($0))", "s.\(SchemaSQL.name($0))"] }
    return [
      "CREATE VIRTUAL TABLE \(quotedName) USING RTREE (\(([key] + sides).joined(separator: ", ")))",
      "INSERT INTO main.\(quotedName) (\(fields)) SELECT \((["s.Z_PK"] + values).joined(separator: ", ")) "
        + "FROM main.\(SQLText.quoted(table)) AS s WHERE \(isWhole("s")) ORDER BY s.Z_PK",
    ]
  }

  /// The triggers: those of a location character by character as in stores of Photos, the others in
  /// that form, but with the condition under which a row is in the tree, since stores with them
  /// have not been seen.
  package var triggers: [SchemaTrigger] {
    let pairs = columns.map { SchemaSQL.name($0) }.enumerated().map { number, column in
      "NEW.\(column)\(number == 0 ? " ," : ", ")NEW.\(column)"
    }
    let list = (["NEW.Z_PK"] + pairs).joined(separator: ", ")
    let values = isOfLocation ? "VALUES (\(list))" : "SELECT \(list) WHERE \(isWhole("NEW"))"
    let row = "INTO \(quotedName) (\(fields)) \(values) ;"
    func removal(of row: String) -> String {
      "DELETE FROM \(quotedName) WHERE Z_PK = \(row).Z_PK ;"
    }
    return [
      trigger("INSERT", "INSERT OR REPLACE \(row)"),
      trigger("UPDATE", "\(removal(of: "NEW")) INSERT \(row)"),
      trigger("DELETE", removal(of: "OLD")),
    ]
  }

  private func trigger(_ event: String, _ body: String) -> SchemaTrigger {
    SchemaTrigger("\(name)_\(event)", after: event, on: table, do: body)
  }

  private var quotedName: String { SchemaSQL.name(name) }

  private var bounds: [String] {
    columns.flatMap { [SchemaSQL.name("\($0)_MIN"), SchemaSQL.name("\($0)_MAX")] }
  }

  private var fields: String { (["Z_PK"] + bounds).joined(separator: ", ") }

  private func isWhole(_ row: String) -> String {
    columns.map { "\(row).\(SchemaSQL.name($0)) NOT NULL" }.joined(separator: " AND ")
  }
}

extension RTree {
  /// The statement that counts the rows of the table whose entries in the tree are missing or
  /// wrong, and names the first.
  ///
  /// The tree keeps numbers of 32 bits, the lower bound rounded down and the upper one up; greater
  /// numbers than those are infinite there, and not compared.
  package var differingRowsSQL: String {
    let isElsewhere = columns.map { column in
      let value = "CAST(s.\(SchemaSQL.name(column)) AS REAL)"
      let (low, high) = (
        "t.\(SchemaSQL.name("\(column)_MIN"))", "t.\(SchemaSQL.name("\(column)_MAX"))"
      )
      return "abs(\(value)) < 1e38 AND NOT (\(low) <= \(value) AND \(high) >= \(value) "
        + "AND \(high) - \(low) <= 1e-6 * abs(\(value)) + 1e-37)"
    }
    return "SELECT count(*), min(s.Z_PK) FROM \(SQLText.quoted(table)) AS s "
      + "LEFT JOIN \(quotedName) AS t ON t.Z_PK = s.Z_PK WHERE CASE WHEN \(isWhole("s")) "
      + "THEN t.Z_PK IS NULL OR \(isElsewhere.joined(separator: " OR ")) "
      + "ELSE t.Z_PK IS NOT NULL END"
  }

  /// The statement that counts the entries of rows that are not in the table, and names the first.
  package var strayEntriesSQL: String {
    "SELECT count(*), min(t.Z_PK) FROM \(quotedName) AS t "
      + "WHERE NOT EXISTS (SELECT 1 FROM \(SQLText.quoted(table)) AS s WHERE s.Z_PK = t.Z_PK)"
  }
}

extension StoreSchema {
  /// The R-trees of the store: fetch indexes of that kind, and those of locations (formats/store.md 7.11, 7.12).
  package var rTrees: [RTree] {
    var seen: Set<String> = []
    return numbering.entities.flatMap { fetched(of: $0) + located(of: $0) }
      .filter { seen.insert($0.name.uppercased()).inserted }
  }

  /// The names of the tables of the model, with those of R-trees and their triggers, in upper case, since SQLite ignores
  /// case.
  package var tableNames: Set<String> {
    Set((entityTables.map(\.name) + joinTables.map(\.name)).map { $0.uppercased() })
      .union(rTrees.flatMap(\.allNames))
  }

  private func fetched(of entity: EntityDescription) -> [RTree] {
    entity.indexes.filter { index in index.elements.allSatisfy { $0.kind == .rTree } }
      .compactMap { index in
        let names = index.elements.compactMap { element -> String? in
          if case .property(let name) = element.subject { name } else { nil }
        }
        guard names.count == index.elements.count else { return nil }
        return tree("Z_\(entity.name)_\(index.name)", of: entity, over: names, isOfLocation: false)
      }
  }

  private func located(of entity: EntityDescription) -> [RTree] {
    entity.attributes.filter { $0.isTransient && $0.attributeType == .undefined }
      .compactMap { attribute in
        let name = "Z_RT_\(entity.name)_\(attribute.name)"
        return tree(name, of: entity, over: attribute.locationComponents, isOfLocation: true)
      }
  }

  /// The tree of some attributes; `nil` if it has no column, or one has none, or they are too many.
  private func tree(
    _ name: String,
    of entity: EntityDescription,
    over attributes: [String],
    isOfLocation: Bool
  ) -> RTree? {
    let columns = attributes.compactMap { column(named: $0, in: entity) }
    guard columns.count == attributes.count, 1...RTree.mostColumns ~= columns.count else {
      return nil
    }
    return RTree(
      name: name,
      table: table(of: entity).name,
      columns: columns,
      isOfLocation: isOfLocation
    )
  }
}
