import BulkCoding
import BulkPlan
import BulkVersions
import BulkPlatform

/// Reports the version of each of many stores, its route to the requested version, and the cost.
struct FleetReport {
  private let arguments: PlanArguments
  private let request: PlanRequest
  private let context: CommandContext

  init(_ arguments: PlanArguments, _ request: PlanRequest, _ context: CommandContext) {
    self.arguments = arguments
    self.request = request
    self.context = context
  }

  /// Examines one store after another.
  ///
  /// - Returns: ``ExitCode/done`` if all have a route, otherwise the code of the first that has none.
  func run() throws -> ExitCode {
    guard request.destination == nil else {
      throw UsageError.contradiction("--destination names one store, but there are several to read")
    }
    guard arguments.maxLoss == .all else {
      throw UsageError.contradiction(
        "--max-loss asks for the plan of one store, but there are several, whose rows are not counted"
      )
    }
    let planner = try FleetPlanner(request)
    var forecasts: [StoreForecast] = []
    var code: ExitCode?
    for path in try SourceList(arguments.sources, list: arguments.sourceList) {
      let (forecast, fault) = planner.forecast(of: path)
      if let fault, code == nil { code = fault.exitCode }
      forecasts.append(forecast)
    }
    if arguments.output.isJSON {
      try context.output.json(["stores": forecasts], as: .forecasts)
    } else {
      try context.output.result(FleetText(forecasts).lines)
    }
    if let code { return code }
    let hasWork = forecasts.contains { !$0.steps.isEmpty }
    return arguments.hasDetailedExitCode && hasWork ? .workFound : .done
  }
}

/// The routes of many stores as text.
struct FleetText {
  private let forecasts: [StoreForecast]

  init(_ forecasts: [StoreForecast]) { self.forecasts = forecasts }

  /// The lines: a table, the obstacles, and the sum.
  var lines: [String] { table + faults + ["", sum] }

  private var table: [String] {
    var table = TextTable(
      .left("STORE"),
      .left("VERSION"),
      .right("ROWS"),
      .right("BYTES"),
      .right("TIME"),
      .left("ROUTE")
    )
    for forecast in forecasts {
      table.append(
        forecast.store,
        forecast.version ?? "unknown",
        forecast.rows.map { about(NumberText.grouped($0), forecast) } ?? "",
        forecast.estimatedBytes.map { "≈ \(ByteCount(bytes: $0))" } ?? "",
        forecast.estimatedSeconds.map { "≈ " + NumberText.short(.seconds($0)) } ?? "",
        route(forecast)
      )
    }
    return table.lines()
  }

  private func about(_ number: String, _ forecast: StoreForecast) -> String {
    forecast.steps.count > 1 ? "≈ \(number)" : number
  }

  private func route(_ forecast: StoreForecast) -> String {
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

  /// The obstacles, each with the stores that it affects.
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
      "\(stores): \(current) current, \(lost) without a route; about \(rows) rows, about \(bytes), "
      + "about \(NumberText.short(.seconds(seconds)))"
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
  /// - Parameters:
  ///   - named: The stores named by options.
  ///   - list: A file of paths; `-` is standard input.
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
