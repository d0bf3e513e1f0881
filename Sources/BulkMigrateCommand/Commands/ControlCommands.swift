import BulkCoding
import BulkExecute
import BulkPlan

/// The arguments of `bulkmigrate pause`, `bulkmigrate throttle` and `bulkmigrate memory`.
struct ControlArguments: CommandArguments {
  var output = OutputOptions()
  var planPath: String?
  var stateDirectory: String?
  /// Whether a migration goes on.
  var goesOn = false
  /// The most bytes a second.
  var rate: ByteCount?
  /// The memory limit.
  var memoryLimit = ByteCount.zero

  static let options: [OptionRow<ControlArguments>] = [
    .value("plan", "FILE", "The plan of the migration.") { $0.planPath = $1 },
    .value("state-dir", "DIR", "The state directory of the migration.") {
      $0.stateDirectory = $1
    },
  ]

  /// The location of the state directory.
  func location() throws -> StateLocation {
    if let stateDirectory { return StateLocation(stateDirectory: stateDirectory) }
    let plan = try PlanFinder(planPath: planPath, stateDirectory: nil).planBegun()
    return StateLocation(destination: plan.destination.store, stateDirectory: nil)
  }
}

/// `bulkmigrate pause`: lets a running migration wait.
enum PauseCommand {
  static let command = Command(table) { arguments, context in
    let location = try arguments.location()
    var control = try RunControl(of: location)
    control.isPaused = !arguments.goesOn
    try control.ask(of: location)
    try context.output.result(
      control.isPaused
        ? "\(location.path): waits from now on; go on with: \(context.program) pause --off"
        : "\(location.path): goes on"
    )
    return .done
  }

  private static let table = OptionTable(
    command: "pause",
    summary: "Let a running migration wait, or go on.",
    explanation: """
      Asks the process that works on a migration to wait, by a file in the state directory. It obeys within \
      a second, keeps its memory and its lock, and still obeys signals. A resumed run forgets what was \
      asked before.
      """,
    examples: [
      Example("bulkmigrate pause", "Let the migration of the plan in this folder wait."),
      Example("bulkmigrate pause --off", "Let it go on."),
    ],
    defaults: ControlArguments(),
    options: ControlArguments.options + [
      .flag("off", "Go on.") { $0.goesOn = true }
    ]
  )
}

/// `bulkmigrate throttle`: limits what a running migration writes.
enum ThrottleCommand {
  static let command = Command(table) { arguments, context in
    let location = try arguments.location()
    var control = try RunControl(of: location)
    control.bytesPerSecond = arguments.rate?.bytes
    try control.ask(of: location)
    try context.output.result(
      arguments.rate.map { "\(location.path): writes at most \($0) a second" }
        ?? "\(location.path): writes as fast as it can"
    )
    return .done
  }

  private static let table = OptionTable(
    command: "throttle",
    summary: "Limit the bytes that a running migration writes a second.",
    explanation: """
      Asks the process that works on a migration to write no more than so many bytes a second on average, by \
      a file in the state directory. It obeys within a second. A resumed run forgets what was asked before.
      """,
    examples: [
      Example("bulkmigrate throttle 50M", "Leave the disk to others most of the time."),
      Example("bulkmigrate throttle off", "Write as fast as the disk does."),
    ],
    defaults: ControlArguments(),
    options: ControlArguments.options,
    operands: [
      .required("RATE", "Bytes a second: 50M, or 50MB/s; off for no limit.") {
        guard $1 != "off" else { return }
        let size = $1.hasSuffix("/s") ? String($1.dropLast(2)) : $1
        let rate = try ByteCount(parsing: size)
        guard rate.bytes >= 1_024 else { throw UnknownWord($1, among: ["1K or more", "off"]) }
        $0.rate = rate
      }.among(["off"])
    ]
  )
}

/// `bulkmigrate memory`: gives a running migration another memory limit.
enum MemoryCommand {
  static let command = Command(table) { arguments, context in
    let location = try arguments.location()
    var control = try RunControl(of: location)
    try control.limitMemory(to: arguments.memoryLimit, of: location)
    try control.ask(of: location)
    try context.output.result(
      "\(location.path): holds at most \(arguments.memoryLimit), from its next batch on"
    )
    return .done
  }

  private static let table = OptionTable(
    command: "memory",
    summary: "Give a running migration another memory limit.",
    explanation: """
      Asks the process that works on a migration to hold no more memory than that, by a file in the state \
      directory. Within five seconds it ends its batch, or rolls back what takes longer, as an index does, \
      and goes on from there with the other limit, to the same bytes; status tells the limit that it has. \
      Less than the plan needs is refused. A later resume keeps the limit.
      """,
    examples: [
      Example("bulkmigrate memory 128M", "Leave more memory to other programs."),
      Example("bulkmigrate memory 1G", "Give it more, for larger caches."),
    ],
    defaults: ControlArguments(),
    options: ControlArguments.options,
    operands: [
      .required("SIZE", "Memory the process may hold: 128M, 1G, or 25% of what there is.") {
        $0.memoryLimit = try ByteCount(parsing: $1)
      }
    ]
  )
}
