internal import BulkModel
internal import BulkSQLite
internal import BulkStore

/// A column of keys that is surveyed.
struct SurveyedLink {
  let property: PropertyKey
  /// The column with the keys.
  let column: String
  /// The table to which they lead.
  let targetTable: String
  /// The column with the key of the object that has the link, in SQL over `s`.
  var keyColumn = "s.Z_PK"
  /// The number of that object's entity, in SQL over `s`.
  var entityColumn = "s.Z_ENT"
  /// The column of the target's table with the key back, where both objects of a link have one.
  var inverseColumn: String?

  /// The tests of the link, as conditions in SQL over `s` that are true of a fault; the target's table has some keys.
  func tests(
    _ bounds: KeyBounds,
    keepsLinks: Bool
  ) -> [(fault: SurveyFindings.Fault, sql: String)] {
    let key = "s.\(SQLText.quoted(column))"
    let target = "source.\(SQLText.quoted(targetTable))"
    let missing =
      switch bounds {
      case .none: "\(key) IS NOT NULL"
      case .all(let keys): "\(key) NOT BETWEEN \(keys.lowerBound) AND \(keys.upperBound)"
      case .unknown:
        "\(key) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(target) AS t WHERE t.Z_PK = \(key))"
      }
    let outcome = keepsLinks ? PreflightFinding.Outcome.kept : .becomesNil
    let dangling = SurveyFindings.Fault(.danglingReference, property, "leads to no object", outcome)
    guard let inverseColumn else { return [(dangling, missing)] }
    let oneSided = SurveyFindings.Fault(
      .oneSidedReference,
      property,
      "the object at the other end does not lead back",
      keepsLinks ? .kept : .lastCounts
    )
    let otherEnd =
      "(SELECT t.\(SQLText.quoted(inverseColumn)) IS NOT s.Z_PK FROM \(target) AS t "
      + "WHERE t.Z_PK = \(key))"
    return [(dangling, missing), (oneSided, otherEnd)]
  }
}

/// The bounds of a table's keys.
enum KeyBounds {
  case none
  /// All keys of a range, and no others.
  case all(ClosedRange<Int64>)
  case unknown

  init(_ table: String, of store: PersistentStore) throws(StoreError) {
    let rows = try store.rows(in: table)
    guard let keys = try store.keys(in: table), rows > 0 else {
      self = .none
      return
    }
    let (width, overflow) = keys.upperBound.subtractingReportingOverflow(keys.lowerBound)
    self = !overflow && width == rows - 1 ? .all(keys) : .unknown
  }
}

extension StoreSchema {
  func links(in table: EntityTable) -> [SurveyedLink] {
    table.columns.compactMap { column -> SurveyedLink? in
      switch column.role {
      case .foreignKey(let key): surveyed(key, column.name)
      case .hiddenForeignKey(let key):
        model.entity(named: key.entity).map { owner in
          SurveyedLink(
            property: key,
            column: column.name,
            targetTable: self.table(of: owner).name
          )
        }
      case .primaryKey, .entity, .version, .attribute, .foreignEntity, .orderKey, .hiddenOrderKey,
        .unmanaged:
        nil
      }
    }
  }

  private func surveyed(_ key: PropertyKey, _ column: String) -> SurveyedLink? {
    guard
      let relationship = model.relationship(key),
      let target = model.entity(named: relationship.destinationEntityName)
    else { return nil }
    var inverse: String?
    if let key = model.inverseKey(of: key), case .foreignKey(_, let column, _) = storage(of: key) {
      inverse = column
    }
    return SurveyedLink(
      property: key,
      column: column,
      targetTable: table(of: target).name,
      inverseColumn: inverse
    )
  }

  /// The links in rows of a join table: each pair to its member, and to its owner.
  func links(in join: JoinTable) -> [SurveyedLink] {
    [
      (join.owner, from: join.ownerColumn, to: join.memberColumn, join.inverse.entity),
      (join.inverse, from: join.memberColumn, to: join.ownerColumn, join.owner.entity),
    ].compactMap { property, near, far, entity -> SurveyedLink? in
      guard let target = model.entity(named: entity) else { return nil }
      return SurveyedLink(
        property: property,
        column: far,
        targetTable: table(of: target).name,
        keyColumn: "s.\(SQLText.quoted(near))",
        entityColumn: "\(numbering.number(of: property.entity))"
      )
    }
  }
}
