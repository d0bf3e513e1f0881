import BulkCoding
import BulkPlan

/// The ways of many stores, as people read them.
struct FleetText {
  private let forecasts: [StoreForecast]

  init(_ forecasts: [StoreForecast]) { self.forecasts = forecasts }

  /// The lines: a table, what is in the way, and the sum.
  var lines: [String] { table + faults + ["", sum] }

  private var table: [String] {
    var table = TextTable(
      .left("STORE"),
      .left("VERSION"),
      .right("ROWS"),
      .right("BYTES"),
      .right("TIME"),
      .left("WAY")
    )
    for forecast in forecasts {
      table.append(
        forecast.store,
        forecast.version ?? "unknown",
        forecast.rows.map { about(NumberText.grouped($0), forecast) } ?? "",
        forecast.estimatedBytes.map { "≈ \(ByteCount(bytes: $0))" } ?? "",
        forecast.estimatedSeconds.map { "≈ " + NumberText.short(.seconds($0)) } ?? "",
        way(forecast)
      )
    }
    return table.lines()
  }

  private func about(_ number: String, _ forecast: StoreForecast) -> String {
    forecast.steps.count > 1 ? "≈ \(number)" : number
  }

  private func way(_ forecast: StoreForecast) -> String {
    if forecast.fault != nil { return "none" }
    guard !forecast.steps.isEmpty else { return "nothing to do" }
    return forecast.steps.map { step in
      "→ \(name(step.destination)) (\(step.mapping.map(file) ?? "inferred"))"
    }.joined(separator: " ")
  }

  private func file(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// A file's name without its extension.
  private func name(_ path: String) -> String {
    let file = file(path)
    return file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
  }

  /// What is in the way, each with the stores that it is in the way of.
  private var faults: [String] {
    var texts: [String] = []
    var stores: [String: [String]] = [:]
    for forecast in forecasts {
      guard let fault = forecast.fault else { continue }
      if stores[fault] == nil { texts.append(fault) }
      stores[fault, default: []].append(forecast.store)
    }
    return texts.flatMap { text in
      [""] + (stores[text] ?? []) + text.split(separator: "\n").map { "  \($0)" }
    }
  }

  private var sum: String {
    let lost = forecasts.count { $0.fault != nil }
    let current = forecasts.count { $0.fault == nil && $0.steps.isEmpty }
    let stores = forecasts.count == 1 ? "1 store" : "\(forecasts.count) stores"
    let bytes = ByteCount(bytes: forecasts.reduce(0) { $0 + ($1.estimatedBytes ?? 0) })
    let rows = NumberText.grouped(forecasts.reduce(0) { $0 + ($1.rows ?? 0) })
    let seconds = forecasts.reduce(0) { $0 + ($1.estimatedSeconds ?? 0) }
    return
      "\(stores): \(current) current, \(lost) without a way; about \(rows) rows, about \(bytes), "
      + "about \(NumberText.short(.seconds(seconds)))"
  }
}
