internal import BulkSupport
internal import BulkStore
internal import BulkExecute
internal import BulkPlan
internal import BulkModel
internal import BulkSQLite

/// A record of a verification that somebody else can check later.
package struct Proof: Codable, Hashable, Sendable {
  package static let format = "proof/1"

  package struct Store: Codable, Hashable, Sendable {
    /// Absolute, when it was verified.
    package var path: String
    /// A digest of its bytes and its log, in hexadecimal.
    package var state: String
  }

  /// Always ``format``.
  package var bulkmigrate: String
  package var tool: String
  package var level: VerificationLevel
  package var plan: String
  /// When it was verified.
  package var source: Store
  /// When it was verified.
  package var destination: Store
  package var rowsCompared: Int64
  /// That of the destination, `Z_UUID`.
  package var identifier: String
  /// The rows of all tables of the destination, and the files of its external values, in two numbers each.
  package var tables: [TableSum]

  package init(contentsOf path: String) throws(ProofError) {
    guard let bytes = FileReading.all(of: path) else {
      throw ProofError(path, "it cannot be read", isMissing: true)
    }
    do {
      self = try JSONDecoder().decode(Proof.self, from: Data(bytes))
    } catch {
      throw ProofError(path, "it is not a proof that this version can read")
    }
    guard bulkmigrate == Self.format else {
      throw ProofError(path, "its format is \(bulkmigrate), not \(Self.format)")
    }
  }

  init(
    _ report: VerificationReport,
    states: (source: String, destination: String),
    _ identifier: String,
    _ tables: [TableSum]
  ) {
    bulkmigrate = Self.format
    tool = ToolVersion.text
    level = report.level
    plan = report.plan
    source = Store(path: report.source, state: states.source)
    destination = Store(path: report.destination, state: states.destination)
    rowsCompared = report.rowsCompared
    (self.identifier, self.tables) = (identifier, tables)
  }

  /// None if the plan, the source and all rows are the same.
  func differences(to other: Proof) -> [StoreDifference] {
    var found: [StoreDifference] = []
    func compare(_ name: String, _ one: String, _ two: String) {
      guard one != two else { return }
      found.append(
        StoreDifference(.metadata, entity: "proof", property: name, expected: one, found: two)
      )
    }
    compare("plan", plan, other.plan)
    compare("state of the source", source.state, other.source.state)
    compare("Z_UUID", identifier, other.identifier)
    let earlier = Dictionary(tables.map { ($0.table, $0) }, uniquingKeysWith: { $1 })
    let later = Dictionary(other.tables.map { ($0.table, $0) }, uniquingKeysWith: { $1 })
    let names = tables.map(\.table) + other.tables.map(\.table).filter { earlier[$0] == nil }
    for name in names where earlier[name] != later[name] {
      found.append(.rows(of: name, earlier[name], later[name]))
    }
    return found
  }
}

/// Why a proof cannot be used.
package struct ProofError: Error, CustomStringConvertible, Hashable, Sendable {
  package let isMissing: Bool
  package let description: String

  init(_ path: String, _ reason: String, isMissing: Bool = false) {
    self.isMissing = isMissing
    description = "\(path) cannot be used as a proof: \(reason)"
  }
}

extension StoreDifference {
  static func rows(of table: String, _ one: TableSum?, _ other: TableSum?) -> StoreDifference {
    func text(_ sum: TableSum) -> String { "\(sum.rows) rows with the sum \(sum.sum)" }
    return StoreDifference(
      .table,
      entity: table,
      property: "rows",
      expected: one.map(text),
      found: other.map(text)
    )
  }
}

extension Verification {
  /// Reads both stores.
  package func proof(of report: VerificationReport) throws -> Proof {
    do {
      let store = try PersistentStore(path: path)
      var rows: Int64 = 0
      let sums = try store.sums(of: try plan.destinationModel()) { count in
        rows += count
        tell(.summing, rows, of: plan.rowsOfAllLegs)
        try stopIfRequested()
      }
      let source = try PersistentStore(path: plan.source.store)
      let states = try [source, store].map { try $0.identification.run().text }
      return Proof(report, states: (states[0], states[1]), store.metadata.uuid, sums)
    } catch let error as PlanError {
      throw MigrationError.plan(error)
    } catch let error as StoreError {
      throw MigrationError.plan(.store(error, path: path))
    }
  }

  package func compare(
    _ report: VerificationReport,
    against proof: Proof
  ) throws -> VerificationReport {
    var result = report
    for difference in proof.differences(to: try self.proof(of: report)) { result.add(difference) }
    return result
  }
}

/// The rows of a table in two numbers: how many there are, and a sum over all of them that does not depend on
/// their order.
package struct TableSum: Codable, Hashable, Sendable {
  /// In the file.
  package var table: String
  package var rows: Int64
  /// The sum of the digests of all rows with their keys, modulo 2⁶⁴, in hexadecimal.
  package var sum: String
}

extension PersistentStore {
  /// The sums of all tables of a model and of all unmanaged tables, in the order of the model.
  ///
  /// The names and the order of columns count, those of indexes do not. It reports the rows read
  /// since; an error of the report ends the work.
  func sums(
    of model: ManagedObjectModel,
    _ report: (Int64) throws -> Void
  ) throws -> [TableSum] {
    let layout = try layout(for: model)
    return try layout.comparedTables.map { try sum(of: $0, report) }
      + [sumOfFiles(layout.schema.externalColumns, report)].filter { $0.rows > 0 }
  }

  /// A file counts for each value that refers to it, with its name and its bytes.
  private func sumOfFiles(
    _ columns: [ExternalColumn],
    _ report: (Int64) throws -> Void
  ) throws -> TableSum {
    var (sum, count): (UInt64, Int64) = (0, 0)
    for column in columns {
      let names = try externalFiles(in: column.table, column: column.name)
      while let name = try names.next() {
        let file = ExternalBinaryData.file(name, of: path)
        guard ExternalBinaryData.isPlain(name), let file = try? OpenFile(reading: file) else {
          continue
        }
        var hash = SHA256()
        hash.update(name)
        while let part = try? file.read(OpenFile.partSize), !part.isEmpty {
          hash.update(part)
          try report(0)
        }
        sum &+= hash.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        count += 1
      }
    }
    return TableSum(table: "external values", rows: count, sum: String(sum, radix: 16))
  }

  func sum(of table: ComparedTable, _ report: (Int64) throws -> Void) throws -> TableSum {
    let statement = try connection.prepare(table.sql)
    var (sum, rows): (UInt64, Int64) = (0, 0)
    while try statement.step() {
      var row: UInt64 = 0
      for column in table.columns {
        // The column's number keeps equal values of two columns apart.
        let value = try digest(of: column, in: table, statement)
        row = (row &* 31 &+ value) &* 0x9E37_79B9_7F4A_7C15
      }
      sum &+= row
      rows += 1
      if rows.isMultiple(of: 16_384) { try report(16_384) }
    }
    try report(rows % 16_384)
    return TableSum(table: table.name, rows: rows, sum: String(sum, radix: 16))
  }

  private func digest(
    of column: ComparedTable.Column,
    in table: ComparedTable,
    _ row: borrowing Statement
  ) throws(StoreError) -> UInt64 {
    guard let location = table.location(ofLong: column, in: row) else {
      return row.digest(at: column.index)
    }
    return try connection.digest(ofValueAt: location)
  }
}
