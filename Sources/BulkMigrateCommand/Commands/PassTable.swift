import BulkCoding
import BulkPlan
import BulkExecute

/// The passes of a plan in a few lines each: those that have something to do, and what changes in them.
struct PassTable {
  /// The most names in a line.
  private static let nameLimit = 4

  private let plan: MigrationPlan

  init(_ plan: MigrationPlan) { self.plan = plan }

  /// The lines.
  var lines: [String] {
    let shown = plan.passes.filter(\.hasWork)
    var table = TextTable(
      .right("PASS"),
      .left("NAME"),
      .right("ENTITIES"),
      .right("ROWS"),
      .right("BYTES"),
      .left("CHANGES")
    )
    for pass in shown {
      table.append(
        "\(pass.number)",
        pass.name,
        "\(pass.entities.count)",
        PlanText.bound(ifUpper: pass.isUpperBound) + NumberText.grouped(pass.rows),
        "\(ByteCount(bytes: pass.estimatedBytes))",
        changes(in: pass)
      )
    }
    let hidden = plan.passes.count - shown.count
    let note = "\(hidden) of \(plan.passes.count) passes have no rows"
    return [""] + (shown.isEmpty ? [] : table.lines(indent: 2)) + (hidden > 0 ? ["  \(note)"] : [])
  }

  /// The kinds of changes to entities, with the names of a few.
  private func changes(in pass: MigrationPlan.Pass) -> String {
    let kinds: [(MigrationPlan.EntityChange.Kind, String)] = [
      (.transformed, "changed"), (.made, "made"), (.renamed, "renamed"), (.added, "added"),
      (.removed, "removed"), (.copied, "copied"),
    ]
    return kinds.compactMap { kind, word in
      let names = pass.entities.filter { $0.change == kind }.map(\.entity)
      guard !names.isEmpty else { return nil }
      guard kind != .copied, names.count <= Self.nameLimit else { return "\(names.count) \(word)" }
      return "\(names.joined(separator: ", ")) \(word)"
    }.joined(separator: "; ")
  }
}

extension MigrationPlan.Pass {
  /// Whether it writes rows, or loses some.
  var hasWork: Bool { rows > 0 || entities.contains { $0.rowsLost > 0 } }
}

/// Passes as text.
enum PassText {
  /// What a pass took.
  static func line(_ use: PassUse, of count: Int) -> String {
    let memory = use.memory.map { ", memory \($0)" } ?? ""
    return "pass \(use.number) of \(count), \(use.name): \(NumberText.grouped(use.rows)) rows, "
      + "in \(NumberText.short(.seconds(use.seconds)))\(memory)"
  }
}

/// What a plan writes as finished pages, and what SQLite does, as text.
struct WrittenText {
  private let tables: [MigrationPlan.WrittenTable]

  init(_ tables: [MigrationPlan.WrittenTable]) { self.tables = tables }

  /// The lines: how much is written as pages, and what is not, each with its reason.
  var lines: [String] {
    let pages = tables.filter { $0.rows == .pages || $0.rows == .both }.count
    let indexes = tables.flatMap(\.indexes).filter(\.isBuiltAsPages).count
    guard pages > 0 || !others.isEmpty else { return [] }
    let (table, index) = (pages == 1 ? "table" : "tables", indexes == 1 ? "index" : "indexes")
    return ["", "as pages     \(pages) \(table), \(indexes) \(index)"]
      + others.enumerated().map {
        ($0.offset == 0 ? "by SQLite    " : "             ") + $0.element
      }
  }

  /// What SQLite does.
  private var others: [String] { tables.flatMap(rows) + tables.flatMap(indexes) }

  private func rows(of table: MigrationPlan.WrittenTable) -> [String] {
    guard let reason = table.reason else { return [] }
    return ["\(table.rows == .both ? "later rows of " : "")\(table.table): \(reason)"]
  }

  private func indexes(of table: MigrationPlan.WrittenTable) -> [String] {
    // An empty table has empty indexes, and those of a table of SQLite's are SQLite's.
    guard table.rows == .pages || table.rows == .both else { return [] }
    return table.indexes.compactMap { index in
      index.reason.map { "index \(index.index): \($0)" }
    }
  }
}
