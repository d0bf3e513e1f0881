internal import BulkExecute
internal import BulkPlan
internal import BulkModel
internal import BulkSupport
internal import BulkSQLite
internal import BulkStore

/// Reads a source for faults that no rule of the destination covers: dangling and one-sided links, external values without
/// their files, and numbers with more digits than the destination holds.
///
/// Every query reads its table once, range by range. One row is held at a time.
struct SourceSurvey {
  /// The entities without a row in the sample, although not all rows of their table were read, in
  /// the order of the tables.
  private(set) var unseenEntities: [String] = []
  private let preflight: Preflight
  private let work: MigrationWork
  private let session: StoreSession

  private var store: PersistentStore { work.store }
  private var schema: StoreSchema { work.layout.schema }
  /// Whether keys are copied as they are, also those that lead to no object.
  private var keepsLinks: Bool { work.made == nil }

  init(_ preflight: Preflight, _ work: MigrationWork) throws(StoreError) {
    (self.preflight, self.work) = (preflight, work)
    session = try work.store.sessionInMemory()
    session.sample = preflight.keys
    session.watch { preflight.stopRequest() != nil }
  }

  mutating func run(into result: inout PreflightReport) throws {
    for table in schema.entityTables { result.rowsTotal += try store.rows(in: table.name) }
    var found = SurveyFindings()
    for table in schema.entityTables {
      result.rowsRead += try count(table)
      for query in try linkQueries(schema.references(in: table), in: table.name)
        + fileQueries(table)
      {
        try run(query, result, &found)
      }
    }
    // A sample takes keys of objects, which pairs have no keys of their own for.
    if session.sample == nil {
      for join in schema.joinTables {
        for link in schema.references(in: join).reversed() {
          for query in try linkQueries([link], in: join.name) { try run(query, result, &found) }
        }
      }
    }
    for column in RoundedColumn.all(of: work) { try run(query(column), result, &found) }
    result.findings += found.findings
  }

  private func run(
    _ query: SurveyQuery,
    _ progress: PreflightReport,
    _ found: inout SurveyFindings
  ) throws {
    let statement = try session.prepare(
      "SELECT \(query.columns.joined(separator: ", ")) "
        + "FROM source.\(SQLText.quoted(query.table)) AS s NOT INDEXED "
        + "WHERE s.rowid BETWEEN ?1 AND ?2 AND (\(query.condition)) ORDER BY s.rowid"
    )
    try eachRow(of: statement, in: query.table, progress) { row in
      let entity = schema.entityName(ofNumber: row.int64(at: 1))
      for fault in query.faults(row) { found.add(fault, of: entity, row.int64(at: 0)) }
    }
  }

  private func linkQueries(
    _ links: [StoreReference],
    in table: String
  ) throws(StoreError) -> [SurveyQuery] {
    let linksAtOnce = 100
    var bounds: [String: KeyBounds] = [:]
    for link in links where bounds[link.targetTable] == nil {
      bounds[link.targetTable] = try KeyBounds(link.targetTable, of: store)
    }
    return stride(from: 0, to: links.count, by: linksAtOnce).map { first in
      let some = links[first..<min(first + linksAtOnce, links.count)]
      let tests = some.flatMap {
        $0.tests(bounds[$0.targetTable] ?? .unknown, keepsLinks: keepsLinks)
      }
      return SurveyQuery(
        table: table,
        columns: ownerColumns(of: links[first]) + tests.map { "(\($0.sql)) IS TRUE" },
        condition: tests.map { "(\($0.sql))" }.joined(separator: " OR ")
      ) { row in
        tests.indices.filter { row.int64(at: Int32($0) + 2) == 1 }.map { tests[$0].fault }
      }
    }
  }

  /// The key of the object that has a link, and the number of its entity, in SQL over `s`.
  private func ownerColumns(of link: StoreReference) -> [String] {
    guard let column = link.pairedColumn else { return ["s.Z_PK", "s.Z_ENT"] }
    let number = schema.numbering.number(of: link.property.entity)
    return ["s.\(SQLText.quoted(column))", "\(number)"]
  }

  /// The queries for external values without their files; the file of a value that is dropped is not needed.
  private func fileQueries(_ table: EntityTable) -> [SurveyQuery] {
    let dropped = Set(preflight.plan.losses.filter { $0.cause == .removed }.map(\.owner))
    return schema.externalColumns.filter { $0.table == table.name }.map { column in
      let (key, name) = (column.attribute, "s.\(SQLText.quoted(column.name))")
      let fault = SurveyFindings.Fault(.missingFile, key, "the file of the value is missing", .kept)
      return SurveyQuery(
        table: table.name,
        columns: ["s.rowid", "s.Z_ENT", "substr(\(name), 2, 36)"],
        condition: ExternalBinaryData.condition(on: name)
      ) { row in
        let file = String(decoding: row.blob(at: 2), as: UTF8.self)
        let entity = schema.entityName(ofNumber: row.int64(at: 1))
        guard !dropped.contains("\(entity).\(key.property)"), !dropped.contains(entity),
          !ExternalBinaryData.hasFile(file, of: store.path)
        else { return [] }
        return [fault]
      }
    }
  }

  private func query(_ column: RoundedColumn) -> SurveyQuery {
    let name = "s.\(SQLText.quoted(column.source.name))"
    return SurveyQuery(
      table: column.source.table,
      columns: ["s.rowid", "s.Z_ENT", name],
      condition: "s.Z_ENT = \(column.source.entity) AND typeof(\(name)) IN ('integer', 'real')"
    ) { row in
      guard let text = column.rounded(row.value(at: 2)) else { return [] }
      let rule = "has more digits than \(column.type) holds"
      return [SurveyFindings.Fault(.rounding, column.property, rule, .rounded, value: text)]
    }
  }

  /// As text; `nil` if there is no value.
  func extremes(
    of column: SourceColumn
  ) throws(StoreError) -> (least: String, greatest: String)? {
    let name = "s.\(SQLText.quoted(column.name))"
    let statement = try session.prepare(
      "SELECT CAST(min(\(name)) AS TEXT), CAST(max(\(name)) AS TEXT) "
        + "FROM source.\(SQLText.quoted(column.table)) AS s NOT INDEXED "
        + "WHERE s.Z_ENT = \(column.entity)"
    )
    guard try statement.step(), case .text(let least) = statement.value(at: 0),
      case .text(let greatest) = statement.value(at: 1)
    else { return nil }
    return (least, greatest)
  }

  private mutating func count(_ table: EntityTable) throws -> Int64 {
    let rows = try store.rows(in: table.name)
    guard session.sample != nil else { return rows }
    let statement = try session.prepare(
      "SELECT count(*), s.Z_ENT FROM source.\(SQLText.quoted(table.name)) AS s "
        + "WHERE s.rowid BETWEEN ?1 AND ?2 GROUP BY s.Z_ENT"
    )
    var count: Int64 = 0
    var seen: Set<Int64> = []
    try eachRow(of: statement, in: table.name, nil) { row in
      count += row.int64(at: 0)
      seen.insert(row.int64(at: 1))
    }
    if count < rows {
      unseenEntities += schema.entityNumbers(in: table).subtracting(seen).sorted()
        .map { schema.entityName(ofNumber: $0) }
    }
    return count
  }

  /// Calls a body with every row of a statement, range by range, and reports after each range.
  private func eachRow(
    of statement: borrowing Statement,
    in table: String,
    _ progress: PreflightReport?,
    _ body: (borrowing Statement) throws -> Void
  ) throws {
    var ranges = try KeyRanges(of: table, rows: try store.rows(in: table), session)
    while let range = try ranges.nextRange() {
      try statement.bind(range)
      while try statement.step() {
        try body(statement)
      }
      statement.reset()
      if let progress {
        let (done, total) = (progress.rowsRead, progress.rowsTotal)
        preflight.report(PreflightProgress(stage: .surveying, rowsDone: done, rowsTotal: total))
      }
      try preflight.stopIfRequested()
    }
  }
}

/// A query for faults of one table, as `s`.
struct SurveyQuery {
  let table: String
  /// In SQL: the key of the object, the number of its entity, then what ``faults`` reads.
  let columns: [String]
  /// True of the rows that may have faults.
  let condition: String
  let faults: (borrowing Statement) -> [SurveyFindings.Fault]
}

/// A column of a source's entity table, in the rows of one entity.
struct SourceColumn: Hashable, Sendable {
  let name: String
  let table: String
  let entity: Int64
}

/// Counts faults of a source by their subjects, and keeps the first of each.
struct SurveyFindings {
  /// What faults are counted by, and the value of the one that was found.
  struct Fault {
    fileprivate let finding: PreflightFinding
    fileprivate let value: String?

    init(
      _ kind: PreflightFinding.Kind,
      _ property: PropertyKey,
      _ rule: String,
      _ outcome: PreflightFinding.Outcome,
      value: String? = nil
    ) {
      finding = PreflightFinding(
        kind,
        of: property.entity,
        property.property,
        rule: rule,
        count: 0,
        outcome: outcome
      )
      self.value = value
    }
  }

  /// By the finding without its objects.
  private var indices: [PreflightFinding: Int] = [:]
  private var found: [PreflightFinding] = []

  mutating func add(_ fault: Fault, of entity: String, _ key: Int64) {
    let index = indices[fault.finding] ?? found.count
    if index == found.count {
      indices[fault.finding] = index
      found.append(fault.finding)
    }
    found[index].count += 1
    if found[index].first.count < PreflightFinding.shown {
      found[index].first.append(.init(entity: entity, key: key, value: fault.value))
    }
  }

  /// In the order of the kinds.
  var findings: [PreflightFinding] {
    PreflightFinding.Kind.allCases.flatMap { kind in found.filter { $0.kind == kind } }
  }
}

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
