internal import BulkSQLite

/// The links along a path of relationships through a store: the object where the path begins, and the one
/// where it ends.
package struct LinkQuery: Hashable, Sendable {
  package let start: String
  /// `nil` for all entities.
  let startEntity: Int64?
  /// The relationships, in order; an empty path links each object to itself.
  package let steps: [RelationshipRows]
  package var end: String { steps.last?.farTable ?? start }
  /// Whether the near objects have positions in the collections of the far ones.
  var hasNearPositions: Bool {
    guard steps.count == 1 else { return false }
    return steps[0].nearPositionColumn != nil
      || steps[0].isSymmetric && steps[0].farPositionColumn != nil
  }

  /// Whether links come in the order of the near objects' keys.
  package var isInOrder: Bool {
    steps.count != 1 || steps[0].nearColumn == "Z_PK" && !steps[0].isSymmetric
  }

  package init(from start: String, ofEntity startEntity: Int64?, along steps: [RelationshipRows]) {
    self.start = start
    self.startEntity = startEntity
    self.steps = steps
  }

  /// The statement that selects the links: near key, far key, place of the far object in the near one's
  /// collection, place of the near one in the far one's collection, entity number of the far object.
  ///
  /// If the path has several relationships, links come in path order, near object by near object, and
  /// without positions. Entity numbers take a search for each link; NULL otherwise.
  ///
  /// Of a path with several relationships only links from objects with keys in a range may be selected.
  func sql(readsEntities: Bool, within keys: ClosedRange<Int64>? = nil) -> String {
    switch steps.count {
    case 0: objectsSQL
    case 1: singleSQL(steps[0], readsEntities: readsEntities)
    default: pathSQL(readsEntities: readsEntities, within: keys)
    }
  }

  /// The key of the object where a link begins, in conditions on links.
  package static let near = ColumnExpression.column("near")
  package static let far = ColumnExpression.column("far")

  /// The statement that selects aggregates of the different links of a path with several relationships, from objects
  /// with keys in a range, that satisfy conditions.
  func sql(
    selecting aggregates: [String],
    where conditions: [ColumnExpression],
    within keys: ClosedRange<Int64>
  ) -> String {
    "WITH links (near, far, place, other, entity) AS (\(sql(readsEntities: false, within: keys))) "
      + "SELECT \(aggregates.joined(separator: ", ")) FROM (SELECT DISTINCT near, far FROM links) AS s "
      + "WHERE \(conditions.map(\.sql).joined(separator: " AND "))"
  }

  private var objectsSQL: String {
    let condition = startEntity.map { " WHERE s.Z_ENT = \($0)" } ?? ""
    return "SELECT s.Z_PK, s.Z_PK, NULL, NULL, s.Z_ENT FROM source.\(SQLText.quoted(start)) AS s"
      + condition + " ORDER BY s.Z_PK"
  }

  private func singleSQL(_ step: RelationshipRows, readsEntities: Bool) -> String {
    let all = direction(step, readsEntities: readsEntities)
    guard step.isSymmetric else { return isInOrder ? all + " ORDER BY s.Z_PK" : all }
    return all + " UNION ALL "
      + direction(step, readsEntities: readsEntities, isInverted: true)
  }

  private func direction(
    _ step: RelationshipRows,
    readsEntities: Bool,
    isInverted: Bool = false
  ) -> String {
    let (nearColumn, farColumn) =
      isInverted ? (step.farColumn, step.nearColumn) : (step.nearColumn, step.farColumn)
    let (near, far) = ("s.\(SQLText.quoted(nearColumn))", "s.\(SQLText.quoted(farColumn))")
    let written = column(step.farPositionColumn, of: "s")
    let position = isInverted ? "NULL" : written
    let nearPosition =
      if isInverted { written } else if step.isSymmetric {
        positionSQL(step, near: far, far: near)
      } else { column(step.nearPositionColumn, of: "s") }
    var conditions = [nearColumn, farColumn].filter { $0 != "Z_PK" }
      .map { "s.\(SQLText.quoted($0)) IS NOT NULL" }
    if isInverted { conditions.append(isUnwritten(step, near: near, far: far)) }
    if let startEntity {
      conditions.append("\(entity(of: near, column: nearColumn, in: start)) = \(startEntity)")
    }
    return "SELECT \(near), \(far), \(position), \(nearPosition), "
      + "\(readsEntities ? entity(of: far, column: farColumn, in: end) : "NULL") "
      + "FROM source.\(SQLText.quoted(step.table)) AS s"
      + (conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))")
  }

  private func pathSQL(readsEntities: Bool, within keys: ClosedRange<Int64>?) -> String {
    var (joins, order) = ("", ["s.Z_PK"])
    var key = "s.Z_PK"
    for (index, step) in steps.enumerated() {
      let alias = "h\(index)"
      joins += " CROSS JOIN \(links(of: step)) AS \(alias) ON \(alias).near = \(key)"
      key = "\(alias).far"
      order += ["\(alias).place", key]
      // An object whose row is missing has no relationships, whatever refers to it.
      if index + 1 < steps.count, steps[index + 1].nearColumn != "Z_PK" {
        joins +=
          " CROSS JOIN source.\(SQLText.quoted(step.farTable)) AS o\(index) "
          + "ON o\(index).Z_PK = \(key)"
      }
    }
    let condition =
      (startEntity.map { " AND s.Z_ENT = \($0)" } ?? "")
      + (keys.map { " AND s.Z_PK BETWEEN \($0.lowerBound) AND \($0.upperBound)" } ?? "")
    let number = readsEntities ? entity(of: key, column: nil, in: end) : "NULL"
    return "SELECT s.Z_PK, \(key), NULL, NULL, \(number) "
      + "FROM source.\(SQLText.quoted(start)) AS s\(joins) WHERE \(key) IS NOT NULL\(condition) "
      + "ORDER BY \(order.joined(separator: ", "))"
  }

  private func links(of step: RelationshipRows) -> String {
    let (near, far) = (SQLText.quoted(step.nearColumn), SQLText.quoted(step.farColumn))
    let table = "FROM source.\(SQLText.quoted(step.table))"
    let position = step.farPositionColumn.map { SQLText.quoted($0) } ?? "NULL"
    let written = "SELECT \(near) AS near, \(far) AS far, \(position) AS place \(table)"
    guard step.isSymmetric else { return "(\(written))" }
    let condition = isUnwritten(step, near: "t.\(far)", far: "t.\(near)")
    return
      "(\(written) UNION ALL SELECT t.\(far), t.\(near), NULL \(table) AS t WHERE \(condition))"
  }

  private func positionSQL(_ step: RelationshipRows, near: String, far: String) -> String {
    guard let position = step.farPositionColumn else { return "NULL" }
    return "(SELECT w.\(SQLText.quoted(position)) \(written(step, near: near, far: far)))"
  }

  /// True if the direction from a near to a far object is not stored.
  private func isUnwritten(_ step: RelationshipRows, near: String, far: String) -> String {
    "NOT EXISTS (SELECT 1 \(written(step, near: near, far: far)))"
  }

  /// The row that stores the direction from a near to a far object, as the end of a SELECT.
  private func written(_ step: RelationshipRows, near: String, far: String) -> String {
    "FROM source.\(SQLText.quoted(step.table)) AS w "
      + "WHERE w.\(SQLText.quoted(step.nearColumn)) = \(near) "
      + "AND w.\(SQLText.quoted(step.farColumn)) = \(far)"
  }

  private func column(_ name: String?, of alias: String) -> String {
    name.map { "\(alias).\(SQLText.quoted($0))" } ?? "NULL"
  }

  private func entity(of key: String, column: String?, in table: String) -> String {
    column == "Z_PK"
      ? "s.Z_ENT"
      : "(SELECT p.Z_ENT FROM source.\(SQLText.quoted(table)) AS p WHERE p.Z_PK = \(key))"
  }
}

/// Reads the links of a path.
package final class LinkReader {
  package struct Row: Sendable {
    package let near: Int64
    package let far: Int64
    /// The place of the far object in the near one's collection; `Int64.min` if it has none.
    package let rank: Int64
    /// The place of the near object in the far one's collection, `Int64.min` if it has none; `Int64.max` if
    /// the relationship does not order them.
    package let inverseRank: Int64
    /// The number of the far object's entity; `nil` if the object does not exist or was not requested.
    package let farEntity: Int64?
  }

  private let statement: Statement
  private let isRanked: Bool
  /// The value of ``Row/inverseRank`` for a near object without one.
  private let noPosition: Int64
  private var count: Int64 = 0
  private var isAtEnd = false

  /// Prepares to read links; to read the entities of far objects takes a search for each.
  package init(
    _ query: LinkQuery,
    readsEntities: Bool,
    _ session: StoreSession
  ) throws(StoreError) {
    statement = try session.prepare(query.sql(readsEntities: readsEntities))
    isRanked = query.steps.count > 1
    noPosition = query.hasNearPositions ? .min : .max
  }

  package func next() throws(StoreError) -> Row? {
    // A statement that has ended would begin again.
    guard !isAtEnd else { return nil }
    guard try statement.step() else {
      isAtEnd = true
      return nil
    }
    count += 1
    return Row(
      near: statement.int64(at: 0),
      far: statement.int64(at: 1),
      rank: isRanked ? count : integer(at: 2) ?? .min,
      inverseRank: integer(at: 3) ?? noPosition,
      farEntity: integer(at: 4)
    )
  }

  private func integer(at column: Int32) -> Int64? {
    statement.storageClass(at: column) == .integer ? statement.int64(at: column) : nil
  }
}
