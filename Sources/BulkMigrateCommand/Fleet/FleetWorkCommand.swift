import BulkCoding
import BulkExecute
import BulkFleet
import BulkPlan
import BulkPlatform
import BulkVerify
import BulkVersions

/// What `fleet run` and its workers do with each store; a worker gets it as JSON.
struct FleetWork: Codable, Sendable {
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
  var policies: [String: [String]] = [:]

  static let options: [OptionRow<FleetWork>] = [
    .value("fleet", \.path),
    .values("models") { $0.models.append(FilePath.absolute($1)) },
    .values("mappings") {
      $0.mappings.append(FilePath.absolute($1))
    },
    .value("stage-in", \.stageIn),
    .value("stage-out", \.stageOut),
    .value("scratch", \.scratch),
    .value("verify", \.verification),
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

  static let table = OptionTable<FleetWorkCommand>(
    "fleet work",
    operands: [
      .required("WORK") {
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
