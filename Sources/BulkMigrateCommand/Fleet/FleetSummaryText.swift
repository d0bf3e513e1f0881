import BulkCoding
import BulkReport

extension FleetSummary {
  var lines: [String] {
    groups("OUTCOME", outcomes) + [""] + groups("VERSION", versions)
      + (classes.contains { !$0.name.isEmpty } ? [""] + groups("CLASS", classes) : [])
      + measures + reasons + lossLines + slowestLines
  }

  private func groups(_ title: String, _ groups: [FleetSummary.Group]) -> [String] {
    groups.table(
      .left(title) { $0.name.isEmpty ? "unknown" : $0.name },
      .right("STORES") { $0.stores.grouped },
      .right("ROWS") { $0.rows.grouped },
      .right("BYTES") { "\(ByteCount(bytes: $0.bytes))" }
    )
  }

  private var measures: [String] {
    guard wallSeconds != nil else { return [] }
    let size = { (bytes: Double) in "\(ByteCount(bytes: Int64(bytes)))" }
    let rows: [(String, Percentiles?, (Double) -> String)] = [
      ("time", wallSeconds, Self.seconds), ("processor", processorSeconds, Self.seconds),
      ("memory", peakMemoryBytes, size),
    ]
    return [""]
      + rows.compactMap { name, found, text in found.map { (name, $0, text) } }.table(
        .left("OF A STORE") { $0.0 },
        .right("HALF NEED") { $0.2($0.1.p50) },
        .right("90 %") { $0.2($0.1.p90) },
        .right("99 %") { $0.2($0.1.p99) },
        .right("AT MOST") { $0.2($0.1.most) }
      )
  }

  private static func seconds(_ value: Double) -> String {
    value < 1 ? "\(Int((value * 1000).rounded()))ms" : Duration.seconds(value).short
  }

  private var reasons: [String] {
    failures.flatMap { reason in
      let count = reason.stores == 1 ? "1 store" : "\(reason.stores.grouped) stores"
      return ["", "\(count) failed with \(reason.code) (\(reason.failure)), as \(reason.example):"]
        + reason.reason.split(separator: "\n").map { "  \($0)" }
    }
  }

  private var lossLines: [String] {
    guard !losses.isEmpty else { return [] }
    return [""]
      + losses.table(
        .right("LOST") { $0.rows.grouped },
        .left("OF") { $0.name },
        .right("STORES") { $0.stores.grouped }
      )
  }

  private var slowestLines: [String] {
    guard !slowest.isEmpty else { return [] }
    return [""]
      + slowest.prefix(5).table(
        .left("SLOWEST") { $0.id },
        .right("TIME") { Self.seconds($0.seconds) },
        .right("MEMORY") { "\(ByteCount(bytes: $0.memoryBytes))" },
        .right("BYTES") { "\(ByteCount(bytes: $0.bytes))" },
        .right("ATTEMPTS") { "\($0.attempts)" }
      )
  }
}
