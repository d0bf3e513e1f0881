import BulkCoding
import BulkExecute
import BulkFleet

/// The arguments of `bulkmigrate fleet pause`, `fleet throttle` and `fleet memory`.
struct FleetControlArguments: CommandArguments {
  var output = OutputOptions()
  var results = FleetCommand.defaultResults
  var goesOn = false
  var rate = WriteRate()
  var memoryLimit = ByteCount.zero

  static let options: [OptionRow<FleetControlArguments>] = [
    .value("results", "FILE", "The results to which the fleet run appends that is controlled.") {
      $0.results = $1
    }.usually(FleetCommand.defaultResults)
  ]

  /// Sends requests to the run of a fleet, and reports them.
  ///
  /// - Throws: ``FleetError``.
  func send(_ context: CommandContext, _ change: (inout RunControl) -> Void) throws -> ExitCode {
    let file = FleetControlFile(results)
    var control = file.control
    change(&control)
    try file.send(control)
    let report = ControlReport(of: results, control: control)
    return try context.output.show(report, as: .controlReport, [report.fleetLine])
  }
}

extension ControlReport {
  /// The results of a fleet, and the requests to its workers.
  var fleetLine: String { "\(of): \(control.fleetText)" }
}

extension RunControl {
  /// The requests to the workers of a fleet, for people.
  var fleetText: String {
    let parts = [
      isPaused ? "the workers wait until fleet pause --off" : nil,
      bytesPerSecond.map { "the workers together write at most \(ByteCount(bytes: $0)) a second" },
      memoryLimit.map { "each worker holds at most \(ByteCount(bytes: $0))" },
    ].compactMap(\.self)
    return parts.isEmpty ? "the workers work as they can" : parts.joined(separator: "; ")
  }
}

enum FleetPauseCommand {
  static let command = Command(table) { arguments, context in
    try arguments.send(context) { $0.isPaused = !arguments.goesOn }
  }

  private static let table = OptionTable(
    command: "fleet pause",
    summary: "Let all workers of a running fleet wait, or go on.",
    explanation: """
      Asks the fleet run that appends to --results to wait, by a file beside these. Its workers wait within a second, \
      wherever they are in a store, keep their memory and their locks, and still obey signals; no other store is begun. \
      Every fleet run discards at its beginning the requests to another one.
      """,
    examples: [
      "bulkmigrate fleet pause": "Let the fleet of this folder wait.",
      "bulkmigrate fleet pause --off": "Let it go on.",
    ],
    results: [.controlReport],
    defaults: FleetControlArguments(),
    options: FleetControlArguments.options + [.flag("off", "Go on.") { $0.goesOn = true }]
  )
}

enum FleetThrottleCommand {
  static let command = Command(table) { arguments, context in
    try arguments.send(context) { $0.bytesPerSecond = arguments.rate.bytesPerSecond?.bytes }
  }

  private static let table = OptionTable(
    command: "fleet throttle",
    summary: "Limit the bytes that all workers of a running fleet write a second.",
    explanation: """
      Asks the fleet run that appends to --results that its workers together write no more than so many bytes a second \
      on average. Each worker that has a store takes an equal part of it; what one leaves when it ends goes to the \
      others within a second.
      """,
    examples: [
      "bulkmigrate fleet throttle 100M": "Leave the disk to others most of the time.",
      "bulkmigrate fleet throttle off": "Write as fast as the disk does.",
    ],
    results: [.controlReport],
    defaults: FleetControlArguments(),
    options: FleetControlArguments.options,
    operands: [
      .required(WriteRate.placeholder, WriteRate.help) {
        $0.rate = try WriteRate(parsing: $1)
      }.among([WriteRate.off])
    ]
  )
}

enum FleetMemoryCommand {
  static let command = Command(table) { arguments, context in
    try arguments.send(context) { control in
      control = RunControl(
        isPaused: control.isPaused,
        bytesPerSecond: control.bytesPerSecond,
        memoryLimit: arguments.memoryLimit
      )
    }
  }

  private static let table = OptionTable(
    command: "fleet memory",
    summary: "Give each worker of a running fleet another memory limit.",
    explanation: """
      Asks the fleet run that appends to --results that each of its workers hold no more than that, in place of its \
      --max-memory. A store that is being migrated goes on with it from its last checkpoint within five seconds, to the \
      same bytes; one that needs more keeps the limit that it has. A later store that needs more fails with 7 and can \
      be run again.
      """,
    examples: [
      "bulkmigrate fleet memory 128M": "Leave more memory to other programs."
    ],
    results: [.controlReport],
    defaults: FleetControlArguments(),
    options: FleetControlArguments.options,
    operands: [
      .required("SIZE", "Memory that each worker may hold: 128M, 1G, or 25% of what there is.") {
        $0.memoryLimit = try ByteCount(parsing: $1)
      }
    ]
  )
}
