import BulkCoding
import BulkExecute
import BulkFleet
import BulkPlan
import BulkPlatform
import BulkVerify
import BulkVersions

/// `bulkmigrate fleet work`: a worker of `fleet run`, which reads jobs from standard input and writes results to standard
/// output.
struct FleetWorkCommand: ParsableCommand, PolicyArguments {
  var output = OutputOptions()
  var policies = PolicyOptions()
  var path = FleetCommand.defaultPath
  var maxMemory = RunArguments.usualMemory
  var threads: ThreadCount?
  var lockWait = Duration.seconds(10)
  var models: [String] = []
  var mappings: [String] = []
  var stageIn: String?
  var stageOut: String?
  var scratch: String?
  var verification: VerificationLevel?
  var temporaryDirectory: String?
  /// The limit of a store's losses, in place of the one in the plan of the fleet.
  var maxLoss: LossLimit?
  var rejects = RejectPolicy()

  static let table = OptionTable(
    command: "fleet work",
    summary: "",
    explanation: """
      Migrates stores for bulkmigrate fleet run, which starts it: reads a job a line from standard input, and answers \
      each with a result a line.
      """,
    examples: [:],
    results: [],
    defaults: FleetWorkCommand(),
    options: options
  )

  static let options: [OptionRow<FleetWorkCommand>] =
    PolicyOptions.rows.within(\FleetWorkCommand.policies) + [
      .value("fleet", "FILE", "The plan of the fleet.") { $0.path = $1 }
        .usually(FleetCommand.defaultPath),
      .value("max-memory", short: "m", "SIZE", "Memory that each worker may hold.") {
        $0.maxMemory = try ByteCount(parsing: $1)
      }.usually("\(RunArguments.usualMemory)"),
      .value("threads", "N", "Threads of each worker, 1 or 2.") {
        $0.threads = try ThreadCount(parsing: $1)
      }.usually("1 where there are several workers"),
      .value("lock-wait", "TIME", "Wait so long for another process that holds a store.") {
        $0.lockWait = try Duration(parsing: $1)
      }.usually("10s"),
      .values(
        "models",
        "DIR",
        "Where the models of the plan are on this machine; their digests must be the same."
      ) { $0.models.append(FilePath.absolute($1)) },
      .values("mappings", "DIR", "Where the mappings of the plan are on this machine.") {
        $0.mappings.append(FilePath.absolute($1))
      },
      .value(
        "stage-in",
        "COMMAND",
        "Fetches the file \"$FROM\" to the local file \"$TO\"; ends with 66 if there is nothing of that name. It is called "
          + "for a store, its log or journal, each file of external values, and its receipt."
      ) { $0.stageIn = $1 },
      .value(
        "stage-out",
        "COMMAND",
        "Puts the local file \"$FROM\" as \"$TO\" unless that exists; then it ends with 73. It is called for what was left "
          + "out and each file of external values, then for the store, and then for its receipt."
      ) { $0.stageOut = $1 },
      .value("scratch", "DIR", "Where stores are that are staged.") { $0.scratch = $1 },
      .value(
        "verify",
        "LEVEL",
        "Verify every store, as verify does: quick, or full, which takes about as long as the migration. One that differs "
          + "is quarantined with 4."
      ) { $0.verification = try VerificationLevel(parsing: $1) },
      .value("tmp-dir", "DIR", "Where files lie that need not survive an interruption.") {
        $0.temporaryDirectory = $1
      },
      .value(
        "max-loss",
        "N",
        "How many objects, values and links a store may lose, in place of the limit of fleet plan."
      ) { $0.maxLoss = try LossLimit(parsing: $1) }.among(["none", "all"]),
      .word(
        "on-error",
        "ACTION",
        "As for run: stop, or quarantine, which leaves objects out that break rules and keeps them in the state "
          + "directory of their store; such stores count as done, and the fleet ends with 3."
      ) { $0.rejects.action = $1 }.usually(RejectPolicy().action.rawValue),
      .value("max-rejects", "N", "As for run, of each store.") {
        $0.rejects.limit = try RejectPolicy.Limit(parsing: $1)
      }.usually("\(RejectPolicy().limit)"),
      .word("dependants", "ACTION", "As for run: nullify or reject.") {
        $0.rejects.dependants = $1
      }.usually(RejectPolicy().dependants.rawValue),
    ]

  /// The options of a worker.
  func words(workers: Int) -> [String] {
    var words = ["--fleet", path, "--max-memory", "\(maxMemory.bytes)B"]
    let threads = threads?.threads ?? (workers > 1 ? 1 : Migration.usualThreads)
    words += ["--threads", "\(threads)"]
    words += ["--lock-wait", "\(Int64(lockWait / .milliseconds(1)))ms"]
    words += models.flatMap { ["--models", $0] } + mappings.flatMap { ["--mappings", $0] }
    words += policies.words
    words += maxLoss.map { ["--max-loss", "\($0)"] } ?? []
    words += ["--on-error", rejects.action.rawValue, "--max-rejects", "\(rejects.limit)"]
    words += ["--dependants", rejects.dependants.rawValue]
    let texts = [
      ("--verify", verification?.rawValue), ("--stage-in", stageIn), ("--stage-out", stageOut),
      ("--scratch", scratch),
      ("--tmp-dir", temporaryDirectory),
    ]
    return words + texts.flatMap { name, value in value.map { [name, $0] } ?? [] }
  }

  /// The plan of the fleet, with the models and mappings of this machine.
  ///
  /// - Throws: ``FleetError`` if they are not those of the plan.
  func fleet() throws -> FleetPlan {
    _ = try staging()
    var fleet = try FleetPlan(contentsOf: path)
    if !models.isEmpty { fleet.settings.models = models }
    if !mappings.isEmpty { fleet.settings.mappings = mappings }
    try fleet.refuseChangedInputs(path)
    if let maxLoss { fleet.settings.maxLoss = maxLoss }
    return fleet
  }

  /// The commands by which stores are fetched and put, if there are any.
  func staging() throws -> StageCommands? {
    switch (stageIn, stageOut) {
    case (nil, nil): return nil
    case (let fetching?, let putting?):
      guard let scratch else {
        throw UsageError("--stage-in needs --scratch, a folder for local stores")
      }
      for name in ["{from}", "{to}"] where (fetching + putting).contains(name) {
        throw UsageError(
          "\(name) is not replaced in --stage-in and --stage-out, where quotes around it would let the shell execute a "
            + "name; write \"$FROM\" and \"$TO\""
        )
      }
      return StageCommands(in: fetching, out: putting, scratch: scratch)
    case (nil, _?), (_?, nil):
      throw UsageError("--stage-in and --stage-out need each other")
    }
  }

  func run(_ context: CommandContext) throws -> ExitCode {
    let base = ProcessMemory.resident ?? .mebibytes(24)
    let stopping = Stopping(Interruption.watch(), after: nil, withParent: true)
    if let temporaryDirectory { Platform.useTemporaryDirectory(temporaryDirectory) }
    var migration = context.settings(maxMemory, base)
    migration.threads = threads?.threads ?? migration.threads
    migration.lockWait = lockWait
    migration.rejects = rejects
    var settings = StoreWorker.Settings(migration) { error in
      (error as? any ErrorWithExitCode)?.exitCode.rawValue ?? ExitCode.failed.rawValue
    }
    settings.verification = verification
    let orders = WorkerOrders()
    settings.stopRequest = {
      orders.wait { stopping.request != nil }
      return stopping.request
    }
    let worker = try StoreWorker(fleet(), settings, staging: staging())
    while let job = orders.nextJob({ stopping.request != nil }) {
      try context.output.result(try StableJSON.line(worker.run(job)))
    }
    return .done
  }
}
