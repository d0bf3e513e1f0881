internal import BulkSQLite
internal import BulkStore

extension StoreReference {
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
