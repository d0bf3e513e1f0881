import BulkCoding
import BulkPlan
import BulkExecute

extension MigrationPlan {
  /// The passes in a few lines each: those with work to do, and the changes in them.
  var passTable: [String] {
    let shown = passes.filter(\.hasWork)
    let hidden = passes.count - shown.count
    let table = shown.table(
      indent: 2,
      .right("PASS") { "\($0.number)" },
      .left("NAME") { $0.name },
      .right("ENTITIES") { "\($0.entities.count)" },
      .right("ROWS") { PlanText.bound(ifUpper: $0.isUpperBound) + $0.rows.grouped },
      .right("BYTES") { "\(ByteCount(bytes: $0.estimatedBytes))" },
      .left("CHANGES") { $0.changes }
    )
    return [""] + (shown.isEmpty ? [] : table)
      + (hidden > 0 ? ["  \(hidden) of \(passes.count) passes have no rows"] : [])
  }
}

extension MigrationPlan.Pass {
  /// Whether it writes rows, or loses some.
  var hasWork: Bool { rows > 0 || entities.contains { $0.rowsLost > 0 } }

  /// The number of names above which a line only counts them.
  private static let nameLimit = 4

  /// The kinds of changes to entities, with the names of a few.
  fileprivate var changes: String {
    entities.kinds.map { kind, word, names in
      guard kind != .copied, names.count <= Self.nameLimit else { return "\(names.count) \(word)" }
      return "\(names.joined(separator: ", ")) \(word)"
    }.joined(separator: "; ")
  }
}

extension [MigrationPlan.EntityChange] {
  /// The kinds of changes that occur, with a word for each and the names of the entities.
  fileprivate var kinds: [(MigrationPlan.EntityChange.Kind, word: String, names: [String])] {
    let words: [(MigrationPlan.EntityChange.Kind, String)] = [
      (.transformed, "changed"), (.made, "made"), (.renamed, "renamed"), (.added, "added"),
      (.removed, "removed"), (.copied, "copied"),
    ]
    return words.compactMap { kind, word in
      // Several mappings may lead to one entity.
      var names: [String] = []
      for entity in self where entity.change == kind && !names.contains(entity.entity) {
        names.append(entity.entity)
      }
      return names.isEmpty ? nil : (kind, word, names)
    }
  }

  /// How many entities change in which way.
  var counts: String {
    kinds.map { "\($0.names.count) \($0.word)" }.joined(separator: ", ")
  }
}

extension PassUse {
  /// The rows, time and memory that the pass took, of so many passes.
  func line(of count: Int) -> String {
    let memory = memory.map { ", memory \($0)" } ?? ""
    let step = step.map { "step \($0), " } ?? ""
    return
      "\(step)pass \(number) of \(count), \(name): \(rows.grouped) \(rows == 1 ? "row" : "rows"), "
      + "in \(Duration.seconds(seconds).short)\(memory)"
  }
}
