import BulkCoding
import BulkExecute
import BulkFleet

/// `bulkmigrate control`: requests to a running migration, or to all workers of a running fleet.
struct ControlCommand: ParsableCommand {
  var output = OutputOptions()
  var finder = MigrationFinder()
  /// The results of the fleet; `nil` for a single migration.
  var results: String?
  var isPaused: Bool?
  var rate: WriteRate?

  static let table = OptionTable(
    command: "control",
    summary: "Pause, continue or throttle a running migration or fleet.",
    explanation: """
      Asks the process that works on a migration, by a file in the state directory, or the workers of a fleet, by a file \
      beside its results. They obey within a second, keep their memory and their locks, and still obey signals. The \
      workers of a fleet share the rate. The next attempt discards earlier requests. migrate --no-copy cannot be \
      controlled.
      """,
    examples: [
      "bulkmigrate control --pause": "Pause the migration of the plan in this folder.",
      "bulkmigrate control --resume": "Let it continue.",
      "bulkmigrate control --rate 50M Notes.sqlite":
        "Let migrate Notes.sqlite write at most 50 MB a second.",
      "bulkmigrate control --rate off --results bulkmigrate.results.jsonl":
        "Let a fleet write as fast as the disk does.",
    ],
    results: [.controlReport],
    defaults: ControlCommand(),
    options: [
      .flag("pause") { $0.isPaused = true }.help("Pause it."),
      .flag("resume") { $0.isPaused = false }.help("Continue what was paused."),
      .value("rate", "RATE", \.rate).help(
        "Bytes to write a second: 50M, or 50MB/s; off for no limit."
      )
      .among([WriteRate.off]),
      .value("results", "FILE", \.results).help("The results of the fleet to control."),
    ],
    operands: [MigrationFinder.operand { $0.finder.named = $1 }]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    guard isPaused != nil || rate != nil else {
      throw UsageError("pass --pause, --resume or --rate RATE")
    }
    if let results {
      let file = FleetControlFile(results)
      let control = changed(file.control)
      try file.send(control)
      return try show(ControlReport(of: results, control: control), context)
    }
    let place = try finder.place()
    do {
      let control = changed(try RunControl(of: place.location))
      try control.send(to: place.location)
      return try show(ControlReport(of: place.location.path, control: control), context)
    } catch let error as MigrationError {
      try Refusal.refuseDone(error, place.location, place.plan)
      throw AdvisedError(error: error, next: place.next(context.program))
    }
  }

  private func changed(_ control: RunControl) -> RunControl {
    var control = control
    if let isPaused { control.isPaused = isPaused }
    if let rate { control.bytesPerSecond = rate.bytesPerSecond?.bytes }
    return control
  }

  private func show(_ report: ControlReport, _ context: CommandContext) throws -> ExitCode {
    try context.output.show(report, as: .controlReport, [report.line])
  }
}

/// The requests to a running migration or fleet, the output of `control --json`,
/// `Plans/schemas/control-report.schema.json`.
struct ControlReport: Encodable {
  /// The state directory, or the results of a fleet.
  let of: String
  let control: RunControl

  private enum CodingKeys: CodingKey { case of, paused, bytesPerSecond }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(of, forKey: .of)
    try container.encode(control.isPaused, forKey: .paused)
    try container.encodeIfPresent(control.bytesPerSecond, forKey: .bytesPerSecond)
  }

  var line: String { "\(of): \(control.text)" }
}

extension RunControl {
  /// The requests, for people.
  var text: String {
    let rate = bytesPerSecond.map { "writes at most \(ByteCount(bytes: $0)) a second" }
    return [isPaused ? "paused until control --resume" : "runs", rate].compactMap(\.self)
      .joined(separator: "; ")
  }
}

/// A limit of what is written, as it is typed.
struct WriteRate: OptionValue {
  /// The bytes a second; `nil` for unlimited.
  private(set) var bytesPerSecond: ByteCount?

  static let off = "off"

  /// Parses a rate, or the word for none.
  init(parsing text: String) throws {
    guard text != Self.off else { return }
    let size = text.hasSuffix("/s") ? String(text.dropLast(2)) : text
    let rate: ByteCount
    do throws(UsageError) {
      // A percentage would be one of the memory.
      guard !size.hasSuffix("%") else { throw .notASize(size) }
      rate = try ByteCount(parsing: size)
    } catch {
      throw error == .notASize(size)
        ? UsageError(text, among: ["a rate such as 50M", Self.off]) : error
    }
    guard rate.bytes >= 1_024 else { throw UsageError(text, among: ["1K or more", Self.off]) }
    bytesPerSecond = rate
  }
}
