import BulkCoding
import BulkExecute
import BulkFleet
import BulkPlan
import BulkPlatform
import BulkVerify
import BulkVersions

/// What `fleet run` and its workers do with each store; a worker gets it as JSON.
struct FleetWork: Codable, Sendable {
  /// The plan of the fleet.
  var path = FleetCommand.defaultPath
  var maxMemory = MigrationCommand.usualMemory
  var threads: Int?
  var models: [String] = []
  var mappings: [String] = []
  var stageIn: String?
  var stageOut: String?
  var scratch: String?
  var verification: VerificationLevel?
  /// The limit of a store's losses, in place of the one in the plan of the fleet.
  var maxLoss: LossLimit?
  var rejects = RejectPolicy()
  /// The words of the programs of policies.
  var policies: [String: [String]] = [:]

  static let options: [OptionRow<FleetWork>] = [
    .value("fleet", "FILE", \.path).help("The plan of the fleet."),
    .values("models", "DIR") { $0.models.append(FilePath.absolute($1)) }.help(
      "Where the models of the plan are on this machine; their digests must be the same."
    ),
    .values("mappings", "DIR") {
      $0.mappings.append(FilePath.absolute($1))
    }.help("Where the mappings of the plan are on this machine."),
    .value("stage-in", "COMMAND", \.stageIn).help(
      "Fetches the file \"$FROM\" to the local file \"$TO\"; ends with 66 if there is nothing of that name. It is called "
        + "for a store, its log or journal, each file of external values, and its receipt."
    ),
    .value("stage-out", "COMMAND", \.stageOut).help(
      "Puts the local file \"$FROM\" as \"$TO\" unless that exists; then it ends with 73. It is called for what was left "
        + "out and each file of external values, then for the store, and then for its receipt."
    ),
    .value("scratch", "DIR", \.scratch).help("Where stores are that are staged."),
    .value("verify", "LEVEL", \.verification).help(
      "Verify every store, as verify does: quick, or full, which takes about as long as the migration. One that differs "
        + "is quarantined with 4."
    ),
  ]

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
}

/// `bulkmigrate fleet work`: a worker of `fleet run`, which reads jobs from standard input and writes results to standard
/// output.
struct FleetWorkCommand: ParsableCommand, PolicyArguments {
  var output = OutputOptions()
  var policies = PolicyOptions()
  var work = FleetWork()

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
    operands: [
      .required("WORK", "What to do with each store, as JSON.") {
        $0.work = try JSONDecoder().decode(FleetWork.self, from: Data($1.utf8))
        $0.policies.commands = $0.work.policies
      }
    ]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    let base = ProcessMemory.resident ?? .mebibytes(24)
    let stopping = Stopping(Interruption.watch(), after: nil, withParent: true)
    var migration = context.settings(work.maxMemory, base)
    migration.threads = work.threads ?? migration.threads
    migration.lockWait = context.rare.lockWait ?? .seconds(10)
    migration.rejects = work.rejects
    var settings = StoreWorker.Settings(migration) { error in
      (error as? any ErrorWithExitCode)?.exitCode.rawValue ?? ExitCode.failed.rawValue
    }
    settings.verification = work.verification
    let orders = WorkerOrders()
    settings.stopRequest = {
      orders.wait { stopping.request != nil }
      return stopping.request
    }
    let worker = try StoreWorker(work.fleet(), settings, staging: work.staging())
    while let job = orders.nextJob({ stopping.request != nil }) {
      try context.output.result(try StableJSON.line(worker.run(job)))
    }
    return .done
  }
}
