import BulkCoding
import BulkPlan
import BulkVersions
import BulkPlatform

extension PlanCommand {
  /// Reports the version of each of many stores, its route to the requested version, and the cost.
  ///
  /// - Returns: ``ExitCode/done`` if all have a route, otherwise the code of the first that has none.
  func forecast(_ request: PlanRequest, _ output: Output) throws -> ExitCode {
    guard request.destination == nil else {
      throw UsageError.contradiction("--destination names one store, but there are several to read")
    }
    guard maxLoss ?? .all == .all else {
      throw UsageError.contradiction(
        "--max-loss asks for the plan of one store, but there are several, whose rows are not counted"
      )
    }
    let planner = try FleetPlanner(request)
    var forecasts: [StoreForecast] = []
    var code: ExitCode?
    for path in try SourceList(sources, list: sourceList) {
      let (forecast, fault) = planner.forecast(of: path)
      if let fault, code == nil { code = fault.exitCode }
      forecasts.append(forecast)
    }
    try output.show(["stores": forecasts], as: .forecasts, forecasts.lines)
    if let code { return code }
    let hasWork = forecasts.contains { !$0.steps.isEmpty }
    return hasDetailedExitCode && hasWork ? .workFound : .done
  }
}

extension [StoreForecast] {
  /// A table, the obstacles, and the sum.
  fileprivate var lines: [String] { routes + faults + ["", sum] }

  private var routes: [String] {
    table(
      .left("STORE") { $0.store },
      .left("VERSION") { $0.version ?? "unknown" },
      .right("ROWS") { forecast in
        forecast.rows.map { (forecast.steps.count > 1 ? "≈ " : "") + NumberText.grouped($0) } ?? ""
      },
      .right("BYTES") { $0.estimatedBytes.map { "≈ \(ByteCount(bytes: $0))" } ?? "" },
      .right("TIME") { $0.estimatedSeconds.map { "≈ " + NumberText.short(.seconds($0)) } ?? "" },
      .left("ROUTE") {
        $0.fault != nil ? "none" : $0.steps.isEmpty ? "nothing to do" : $0.steps.line
      }
    )
  }

  /// The obstacles, each with the stores that it affects.
  private var faults: [String] {
    var texts: [String] = []
    var stores: [String: [String]] = [:]
    for forecast in self {
      guard let fault = forecast.fault else { continue }
      if stores[fault] == nil { texts.append(fault) }
      stores[fault, default: []].append(forecast.store)
    }
    return texts.flatMap { text in
      [""] + (stores[text] ?? []) + text.split(separator: "\n").map { "  \($0)" }
    }
  }

  private var sum: String {
    let lost = count { $0.fault != nil }
    let current = count { $0.fault == nil && $0.steps.isEmpty }
    let stores = count == 1 ? "1 store" : "\(count) stores"
    let bytes = ByteCount(bytes: reduce(0) { $0 + ($1.estimatedBytes ?? 0) })
    let rows = NumberText.grouped(reduce(0) { $0 + ($1.rows ?? 0) })
    let seconds = reduce(0) { $0 + ($1.estimatedSeconds ?? 0) }
    return
      "\(stores): \(current) current, \(lost) without a route; about \(rows) rows, about \(bytes), "
      + "about \(NumberText.short(.seconds(seconds)))"
  }
}

extension [StoreForecast.Step] {
  /// The versions of a route, each with its mapping.
  var line: String {
    map { step in
      let mapping = step.mapping.map { URL(fileURLWithPath: $0).lastPathComponent } ?? "inferred"
      let name = URL(fileURLWithPath: step.destination).deletingPathExtension().lastPathComponent
      return "→ \(name) (\(mapping))"
    }.joined(separator: " ")
  }
}

/// The stores of a fleet: those named by options, then those of a list, one per line.
///
/// A list is read as needed; empty lines are skipped.
struct SourceList: Sequence {
  private let named: [String]
  private let lines: [Substring]?
  private let readsInput: Bool

  /// Reads the stores that a command line names.
  ///
  /// - Throws: ``SourceListError`` if the list cannot be read.
  init(_ named: [String], list: String?) throws(SourceListError) {
    self.named = named
    readsInput = list == "-"
    guard let list, list != "-" else {
      lines = nil
      return
    }
    guard let bytes = FileReading.all(of: list), let text = String(validating: bytes, as: UTF8.self)
    else { throw SourceListError(path: list) }
    lines = text.split(separator: "\n")
  }

  func makeIterator() -> AnyIterator<String> {
    var first = named.makeIterator()
    var rest = (lines ?? []).makeIterator()
    return AnyIterator {
      if let path = first.next() ?? rest.next().map(String.init) { return path }
      guard readsInput else { return nil }
      while let line = readLine() {
        if !line.isEmpty { return line }
      }
      return nil
    }
  }
}

/// A list of stores that cannot be read.
struct SourceListError: ErrorWithExitCode, Equatable, CustomStringConvertible {
  let path: String

  var exitCode: ExitCode { .noInput }

  var description: String { "the list of stores \(path) cannot be read as UTF-8 text" }
}
