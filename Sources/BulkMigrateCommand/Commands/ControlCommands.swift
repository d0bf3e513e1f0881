import BulkCoding
import BulkExecute

/// The arguments of `bulkmigrate pause`, `bulkmigrate throttle` and `bulkmigrate memory`.
struct ControlArguments: CommandArguments {
  var output = OutputOptions()
  var finder = MigrationFinder()
  /// Whether a waiting migration resumes.
  var goesOn = false
  var rate = WriteRate()
  var memoryLimit = ByteCount.zero

  static let options = MigrationFinder.options.within(\ControlArguments.finder)

  /// Sends requests to the migration that is named, and reports them.
  ///
  /// - Throws: ``AdvisedError``.
  func send(
    _ context: CommandContext,
    _ change: (inout RunControl, StateLocation) throws -> Void,
    _ text: (String) -> String
  ) throws -> ExitCode {
    let place = try finder.place()
    do {
      var control = try RunControl(of: place.location)
      try change(&control, place.location)
      try control.send(to: place.location)
      let path = place.location.path
      let report = ControlReport(of: path, control: control)
      return try context.output.show(report, as: .controlReport, [text(path)])
    } catch let error as MigrationError {
      try Refusal.refuseDone(error, place.location, place.plan)
      throw AdvisedError(error: error, next: place.next(context.program))
    }
  }
}

/// The requests to a running migration or fleet, the output of `pause`, `throttle` and `memory` with `--json`,
/// `Plans/schemas/control-report.schema.json`.
struct ControlReport: Encodable {
  /// The state directory, or the results of a fleet.
  let of: String
  let control: RunControl

  private enum CodingKeys: CodingKey { case of, paused, bytesPerSecond, memoryLimit }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(of, forKey: .of)
    try container.encode(control.isPaused, forKey: .paused)
    try container.encodeIfPresent(control.bytesPerSecond, forKey: .bytesPerSecond)
    try container.encodeIfPresent(control.memoryLimit, forKey: .memoryLimit)
  }
}

enum PauseCommand {
  static let command = Command(table) { arguments, context in
    try arguments.send(context) { control, _ in
      control.isPaused = !arguments.goesOn
    } _: { path in
      arguments.goesOn
        ? "\(path): goes on"
        : "\(path): waits from now on; go on with: \(context.program) pause --off\(arguments.finder.typed)"
    }
  }

  private static let table = OptionTable(
    command: "pause",
    summary: "Let a running migration wait, or go on.",
    explanation: """
      Asks the process that works on a migration, by run, resume or migrate, to wait, by a file in the state \
      directory. It obeys within a second, keeps its memory and its lock, and still obeys signals. A resumed run \
      discards earlier requests. For a fleet there is fleet pause; migrate --in-place cannot be controlled.
      """,
    examples: [
      "bulkmigrate pause": "Let the migration of the plan in this folder wait.",
      "bulkmigrate pause --off": "Let it go on.",
      "bulkmigrate pause --store Notes.sqlite": "Let migrate Notes.sqlite wait.",
    ],
    results: [.controlReport],
    defaults: ControlArguments(),
    options: ControlArguments.options + [
      .flag("off", "Go on.") { $0.goesOn = true }
    ]
  )
}

enum ThrottleCommand {
  static let command = Command(table) { arguments, context in
    let rate = arguments.rate.bytesPerSecond
    return try arguments.send(context) { control, _ in
      control.bytesPerSecond = rate?.bytes
    } _: { path in
      rate.map { "\(path): writes at most \($0) a second" }
        ?? "\(path): writes as fast as it can"
    }
  }

  private static let table = OptionTable(
    command: "throttle",
    summary: "Limit the bytes that a running migration writes a second.",
    explanation: """
      Asks the process that works on a migration, by run, resume or migrate, to write no more than so many bytes a \
      second on average, by a file in the state directory. It obeys within a second. A resumed run discards \
      earlier requests. For a fleet there is fleet throttle; migrate --in-place cannot be controlled.
      """,
    examples: [
      "bulkmigrate throttle 50M": "Leave the disk to others most of the time.",
      "bulkmigrate throttle off": "Write as fast as the disk does.",
    ],
    results: [.controlReport],
    defaults: ControlArguments(),
    options: ControlArguments.options,
    operands: [
      .required(WriteRate.placeholder, WriteRate.help) {
        $0.rate = try WriteRate(parsing: $1)
      }.among([WriteRate.off])
    ]
  )
}

enum MemoryCommand {
  static let command = Command(table) { arguments, context in
    try arguments.send(context) { control, location in
      try control.limitMemory(to: arguments.memoryLimit, of: location)
    } _: { path in
      "\(path): holds at most \(arguments.memoryLimit), from its next batch on"
    }
  }

  private static let table = OptionTable(
    command: "memory",
    summary: "Give a running migration another memory limit.",
    explanation: """
      Asks the process that works on a migration, by run, resume or migrate, to hold no more memory than that, by a \
      file in the state directory. Within five seconds it ends its batch, or rolls back what takes longer, as an index \
      does, and goes on from there with the other limit, to the same bytes; status tells the limit that it has. Less \
      than the plan needs is refused. A later resume, or the same migrate again, keeps the limit. For a fleet there is \
      fleet memory; migrate --in-place cannot be controlled.
      """,
    examples: [
      "bulkmigrate memory 128M": "Leave more memory to other programs.",
      "bulkmigrate memory 1G": "Give it more, for larger caches.",
    ],
    results: [.controlReport],
    defaults: ControlArguments(),
    options: ControlArguments.options,
    operands: [
      .required("SIZE", "Memory the process may hold: 128M, 1G, or 25% of what there is.") {
        $0.memoryLimit = try ByteCount(parsing: $1)
      }
    ]
  )
}

/// A limit of what is written, as it is typed.
struct WriteRate: Sendable {
  /// The bytes a second; `nil` for unlimited.
  private(set) var bytesPerSecond: ByteCount?

  static let placeholder = "RATE"
  static let help = "Bytes a second: 50M, or 50MB/s; off for no limit."
  static let off = "off"

  init() {}

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
