import BulkCoding
import BulkExecute
import BulkFleet

/// `bulkmigrate control`: requests to a running migration, or to all workers of a running fleet.
struct ControlCommand: ParsableCommand {
  var output = OutputOptions()
  var finder = MigrationFinder()
  var results: String?
  var isPaused: Bool?
  var rate: WriteRate?

  static let table = OptionTable<ControlCommand>(
    "control",
    results: [.controlReport],
    options: [
      .flag("pause") { $0.isPaused = true },
      .flag("resume") { $0.isPaused = false },
      .value("rate", \.rate)
        .among([WriteRate.off]),
      .value("results", \.results),
    ],
    operands: [.optional("MIGRATION", \.finder.named)]
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
  var text: String {
    let rate = bytesPerSecond.map { "writes at most \(ByteCount(bytes: $0)) a second" }
    return [isPaused ? "paused until control --resume" : "runs", rate].compactMap(\.self)
      .joined(separator: "; ")
  }
}

struct WriteRate: OptionValue {
  private(set) var bytesPerSecond: ByteCount?

  static let off = "off"

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
