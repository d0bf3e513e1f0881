import BulkCoding
import BulkExecute
import BulkPlan

/// The arguments of a command that carries out a migration.
protocol RunningArguments: CommandArguments {
  /// The memory limit; by default that of an interrupted run, or the usual one.
  var maxMemory: ByteCount? { get set }
  var maxDuration: Duration? { get set }
  /// The limit of losses; `nil` for that of the command.
  var maxLoss: LossLimit? { get set }
  var threads: ThreadCount? { get set }
  var onDiskFull: DiskFullAction { get set }
  /// Where to write a report.
  var reportPath: String? { get set }
  /// Whether the record of earlier runs is read and written.
  var keepsHistory: Bool { get set }
}

extension RunningArguments {
  /// The rows of these options.
  ///
  /// - Parameter usualLoss: How much may be lost where nothing is said of it.
  /// - Returns: The rows.
  static func runningOptions(usualLoss: String) -> [OptionRow<Self>] {
    [
      .value(
        "max-memory",
        short: "m",
        "SIZE",
        "Memory the process may hold: 256M, 1G, or 25% of what there is."
      ) { $0.maxMemory = try ByteCount(parsing: $1) }.usually(
        "\(RunArguments.usualMemory), or that of the run that is resumed"
      ),
      .value(
        "max-loss",
        "N",
        "How many objects, values and links may be lost: none, a number, or all. Beyond it nothing is "
          + "started, or nothing published."
      ) { $0.maxLoss = try LossLimit(parsing: $1) }.among(["none", "all"]).usually(usualLoss),
      .value(
        "max-duration",
        "TIME",
        "Stop after so long (15s, 1h30m), with work left and exit code 6; what cannot be divided is finished "
          + "first, where nothing else was done."
      ) {
        $0.maxDuration = try Duration(parsing: $1)
      },
      .value(
        "threads",
        "N",
        "Threads that work at the same time, 1 or 2."
      ) {
        $0.threads = try ThreadCount(parsing: $1)
      }.usually("2 where there are two processors"),
      .value("on-disk-full", "ACTION", "stop, or wait until there is room.") {
        $0.onDiskFull = try DiskFullAction(parsing: $1)
      }.among(DiskFullAction.allCases.map(\.rawValue)).usually(DiskFullAction.stop.rawValue),
      .value(
        "report",
        "FILE",
        "Write a report at the end, however it ends: one page of HTML with the plan, what it took, and what is "
          + "lost. An earlier report of the same name is replaced."
      ) { $0.reportPath = $1 },
      .flag(
        "no-history",
        "Neither read nor write the record of earlier runs, history.json in ~/.local/state/bulkmigrate, by which "
          + "times left are told."
      ) { $0.keepsHistory = false },
    ]
  }
}
