import BulkCoding
import BulkPlan

/// The memory that a plan needs, as people read it.
struct MemoryText {
  private let plan: MigrationPlan
  private let smallestLimit: ByteCount?

  /// - Parameters:
  ///   - plan: The plan.
  ///   - smallestLimit: The smallest limit that will do on this system, where it is known.
  init(_ plan: MigrationPlan, smallestLimit: ByteCount?) {
    self.plan = plan
    self.smallestLimit = smallestLimit
  }

  /// The lines: the smallest limit, how it is divided, and what passes need besides.
  var lines: [String] {
    guard let smallestLimit else { return [] }
    let held = smallestLimit - plan.leastMemory
    let all = [("what it holds at the beginning", held)] + plan.memory.shares.map(part)
    return ["", "memory       at least \(smallestLimit), of which"]
      + all.map { "  \($0.1)  \($0.0)" }
      + plan.passes.flatMap(lines) + largestRow
  }

  private func lines(of pass: MigrationPlan.Pass) -> [String] {
    pass.memory.map { share in
      let part = part(share)
      return "  \(part.1)  \(part.0), in pass \(pass.number)"
    }
  }

  private var largestRow: [String] {
    let streamed = plan.memory.streamedTables.map {
      "  large values of \($0) are streamed and not held"
    }
    guard let row = plan.memory.largestRow else { return streamed }
    return streamed + [
      "  \(row.property) of \(row.entity) \(row.key) has \(ByteCount(bytes: row.bytes)) and must be held"
    ]
  }

  private func part(_ share: MemoryShare) -> (String, ByteCount) {
    (Self.name(share.use), ByteCount(bytes: share.leastBytes))
  }

  private static func name(_ use: MemoryUse) -> String {
    switch use {
    case .program: "code and data as the work goes on"
    case .models: "models, schemas and statements"
    case .destinationCache: "cache of the destination"
    case .sourceCache: "cache of the source"
    case .sorter: "sorting for indexes"
    case .temporaryTables: "cache of what policies find again"
    case .log: "where pages lie in the source's log"
    case .check: "reading the source through meanwhile"
    case .associations: "associations"
    case .rows: "rows that are evaluated"
    case .largestRow: "the largest row"
    }
  }
}
