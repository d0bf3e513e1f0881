internal import BulkExecute
internal import BulkCoding
internal import BulkPlan

/// The passes, as planned and as carried out.
struct PassSection {
  private let facts: ReportFacts
  private let rows: Int

  init(_ facts: ReportFacts, rows: Int) {
    self.facts = facts
    self.rows = rows
  }

  var markup: [Markup] {
    let plan = facts.plan
    guard plan.passes.count > 1 else { return [] }
    var table = PageTable(
      caption: "As planned and as carried out",
      columns: [
        .words("Pass"), .numbers("Rows"), .numbers("Planned time"), .numbers("Took"),
        .numbers("Most memory"), .words("Done"),
      ]
    )
    table.rows = plan.passes.map { pass in
      let use = facts.passes.first { $0.number == pass.number }
      let isDone = facts.state == .done || use?.isDone == true
      return [
        "\(pass.number) \(pass.name)", (use?.rows ?? pass.rows).grouped,
        "≈ \(Duration.seconds(pass.estimatedSeconds).short)",
        use.map { Duration.seconds($0.seconds).short } ?? "", use?.memory.map { "\($0)" } ?? "",
        isDone ? "yes" : use == nil ? "no" : "in part",
      ]
    }
    return [.section("Passes", [table.cut(to: max(rows, 100)).markup])]
  }
}

/// What memory the plan needs, use by use.
struct MemorySection {
  private let facts: ReportFacts

  init(_ facts: ReportFacts) { self.facts = facts }

  var markup: [Markup] {
    let plan = facts.plan
    let shares = plan.memory.shares + plan.passes.flatMap(\.memory)
    guard !shares.isEmpty else { return [] }
    var table = PageTable(
      caption: "What the memory is for",
      columns: [.words("Use"), .numbers("At least"), .numbers("Useful up to")]
    )
    let uses = Dictionary(grouping: shares, by: \.use)
    table.rows = MemoryUse.allCases.compactMap { use in
      guard let own = uses[use] else { return nil }
      return [
        use.sentence, "\(ByteCount(bytes: own.map(\.leastBytes).max() ?? 0))",
        "\(ByteCount(bytes: own.map(\.mostBytes).max() ?? 0))",
      ]
    }
    return [
      .section(
        "Memory",
        [
          .tag(
            "p",
            [:],
            "Beside what the program holds when it begins, the plan needs at least \(plan.leastMemory)."
          ), table.markup,
        ]
      )
    ]
  }
}

extension MemoryUse {
  /// The use in words.
  fileprivate var sentence: String {
    switch self {
    case .program: "code and data as the work proceeds"
    case .models: "models, schemas and statements"
    case .destinationCache: "cache of the destination"
    case .sourceCache: "cache of the source"
    case .sorter: "sorting for indexes"
    case .temporaryTables: "tables in which policies find objects"
    case .log: "pages of the log beside the source"
    case .check: "reading the source through meanwhile"
    case .associations: "association tables"
    case .rows: "rows that are evaluated"
    case .largestRow: "the largest row"
    }
  }
}
