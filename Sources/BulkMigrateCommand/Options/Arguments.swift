import BulkFixture
internal import BulkModel
internal import BulkMigrate
internal import BulkPlan
import BulkSupport
import BulkExecute
import BulkFleet

/// The arguments of every command: an option means the same wherever it can be typed.
///
/// The ``Manual`` names the options of each command; what a command does not take keeps its default.
struct Arguments: Sendable {
  enum Verb { case run, resume, migrate }
  enum RejectsAction: String, CaseIterable, OptionValue { case list, show, replay }

  static let usualMemory = ByteCount.mebibytes(256)
  static let usualPlanPath = "bulkmigrate.plan.json"
  static let usualResults = "bulkmigrate.results.jsonl"

  var output = OutputOptions()
  /// The words of the programs of policies, by the names of the policies.
  var policies: [String: [String]] = [:]
  var request = PlanRequest()

  // MARK: Operands

  var file = ""
  var otherFile = ""
  var store = ""
  var stores: [String] = []
  /// A plan, a state directory, or a store that `migrate` works on; `nil` for the migration of the current folder.
  var migration: String?
  var action = RejectsAction.list
  var entity: String?
  var key: Int64?
  var shell = Shell.bash
  /// The words of a command line behind the program's name, the last one of which is completed.
  var words: [String] = []

  // MARK: Files

  /// The plan; by default that of the current folder or the state directory.
  var planPath: String?
  /// The plan to compare with another one, or with its inputs planned again.
  var comparedPlan: String?
  var stateDirectory: String?
  var outputPath: String?
  var reportPath: String?
  var proofPath: String?
  var scratch: String?
  var modelFiles: [String] = []
  var storeList: String?
  var results: [String] = []

  // MARK: Limits

  var maxMemory: ByteCount?
  var maxDuration: Duration?
  /// The limit beyond which nothing is written; `nil` for that of a resumed run, or to plan with any loss.
  var maxLoss: LossLimit?
  var onError: RejectPolicy.Action?
  var dependants: RejectPolicy.Dependants?
  var maxRejects: RejectPolicy.Limit?

  /// `nil` for not at all, and for 10 seconds in a fleet.
  var lockWait: Duration?
  /// `nil` for as many as there are processors.
  var threads: Int?
  var policyTimeout = Duration.seconds(60)

  // MARK: Ways to work

  var verb = Verb.run
  var isInPlace = false
  var diesWithParent = false
  var restarts = false
  var resumesIfStarted = false
  var level = VerificationLevel.quick
  var watches = false
  var isPaused: Bool?
  var rate: WriteRate?
  var isStrict = false
  var isMetadataOnly = false
  var stages: [CustomStage] = []
  var keyShare: Double?
  var expression: ValueExpression?
  var choice = SampleChoice()
  var fixture = FixtureRequest()

  // MARK: Texts

  var isFull = false
  var isMarkdown = false
  var hasDetailedExitCode = false

  // MARK: Fleets

  var work = FleetWork()
  var manifest: String?
  var folder: String?
  var pattern = "*.sqlite"
  var destinationFolder: String?
  var root: String?
  var bins = FleetDraft.usualBins
  var isStaged = false
  var workers = 1
  var part = StoreSelection.Part.all
  var canary: FleetLimit?
  var maxFailures: FleetLimit?
  var retries = 2
  var table: String?
  var fleetPage: String?
  var failures: Set<StoreResult.Failure> = []

  var memoryLimit: ByteCount { maxMemory ?? Self.usualMemory }
  var lossLimit: LossLimit { maxLoss ?? .usual }
}

extension OptionRow {
  /// The options of all commands, by their names, behind the name of a command that has one of another form.
  static let all = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0) })
    .merging(forms) { $1 }

  private static let rows: [OptionRow] = [
    // Stores, models and mappings.
    .value("source", \.request.source),
    .value("destination", \.request.destination),
    .value("source-model", \.request.sourceModel),
    .value("destination-model", \.request.destinationModel),
    .values("model", \.modelFiles),
    .values("models", \.request.models),
    .values("mapping", \.request.mappingFiles),
    .values("mappings", \.request.mappings),
    .values("ignore-mapping", \.request.ignoredMappings),
    .value("to", \.request.version),
    .value("configuration", \.request.configuration),
    .value("sources", \.storeList).takingDash(),
    .values("stage") { $0.stages.append(try CustomStage(parsing: $1)) },
    .values("policy") { try PolicyWords.add($1, to: &$0.policies) }.onlyTyped(),
    // Planning.
    .flag("no-fuse") { $0.request.fuses = false },
    .flag("no-infer") { $0.request.infers = false },
    .flag("like-core-data", \.request.isLikeCoreData),
    .flag("new-identifier", \.request.takesNewIdentifier),
    .values("allow") { $0.request.allowed.insert(try PlanAllowance(parsing: $1)) }
      .among(PlanAllowance.words),
    .value("strategy") {
      $0.request.strategy = try StoreStrategy.Kind(parsing: $1)
      $0.request.rebuilds = $0.request.strategy == .rebuild
    }.among(StoreStrategy.Kind.words),
    .value("diff", \.comparedPlan),
    // Runs.
    .value("plan", \.planPath),
    .value("state-dir", \.stateDirectory),
    .flag("no-copy", \.isInPlace),
    .flag("restart", \.restarts),
    .flag("resume-if-started", \.resumesIfStarted),
    .flag("die-with-parent", \.diesWithParent),
    .value("on-error", \.onError),
    .value("max-rejects", \.maxRejects),
    .value("dependants", \.dependants),
    .value("max-memory", \.maxMemory),
    .value("max-loss", \.maxLoss),
    .value("max-duration", \.maxDuration),
    .value("report", \.reportPath),
    .flag("watch", \.watches),
    .flag("pause") { $0.isPaused = true },
    .flag("resume") { $0.isPaused = false },
    .value("rate", \.rate).among([WriteRate.off]),
    // Checks and trials.
    .value("level", \.level),
    .value("proof", \.proofPath),
    .value("scratch", \.scratch),
    .flag("strict", \.isStrict),
    .flag("metadata-only", \.isMetadataOnly),
    .value("entity", \.entity),
    .value("expression") { $0.expression = try .trial($1) },
    .value("sample", in: 1...1_000, \.choice.count),
    .value("where") { $0.choice.predicate = try ValuePredicate(format: $1) },
    // Output.
    .value("output", \.outputPath),
    .flag("full", \.isFull),
    .flag("markdown", \.isMarkdown),
    .flag("detailed-exitcode", \.hasDetailedExitCode),
    // Fixtures.
    .pairs("rows", \.fixture.rows, PairList.count),
    .value("seed") {
      guard let seed = UInt64($1) else { throw UsageError("'\($1)' is not a whole number") }
      $0.fixture.seed = seed
    },
    .value("skew", \.fixture.skew),
    .values("dirty") { try PairList.add($1, to: &$0.fixture.dirt) },
    .pairs("bytes", \.fixture.sizes, PairList.sizes),
    .pairs("nil", \.fixture.nilRates, PairList.rate),
    .pairs("external", \.fixture.externalRates, PairList.rate),
    .pairs("links", \.fixture.links, PairList.mean),
    // Fleets.
    .value("fleet", \.work.path),
    .value("manifest", \.manifest),
    .value("folder", \.folder),
    .value("pattern", \.pattern),
    .value("into", \.destinationFolder),
    .value("root") { $0.root = FilePath.absolute($1) },
    .value("bins", in: 1...1_000_000, \.bins),
    .flag("staged", \.isStaged),
    .value("stage-in", \.work.stageIn),
    .value("stage-out", \.work.stageOut),
    .value("verify", \.work.verification),
    .value("workers", in: 1...1024, \.workers),
    .value("bin", \.part),
    .value("canary", \.canary),
    .value("max-failures", \.maxFailures),
    .value("retries", in: 0...1000, \.retries),
    .values("results", \.results),
    .value("table", \.table),
    .value("page", \.fleetPage).takingDash(),
    .values("failure") { $0.failures.insert(try StoreResult.Failure(parsing: $1)) },
  ]

  /// The operands of all commands, as the manual writes them.
  static let operands: [String: OptionRow] = [
    "ACTION": .value("ACTION", \.action),
    "ENTITY": .value("ENTITY", \.entity),
    "FILE": .value("FILE", \.file),
    "KEY": .value("KEY", \.key),
    "MIGRATION": .value("MIGRATION", \.migration),
    "OTHER": .value("OTHER", \.otherFile),
    "PLAN": .value("PLAN", \.migration),
    "SHELL": .value("SHELL", \.shell),
    "STORE": .value("STORE", \.store),
    "STORE…": .values("STORE", \.stores),
    "WORDS…": .values("WORDS", \.words).takingDash(),
    "WORK": .value("WORK") { try $0.take($1) },
  ]

  /// What hardly anybody needs, and only variables of the environment set.
  static let variables: [OptionRow] = [
    .value("lock-wait", \.lockWait), .value("policy-timeout", \.policyTimeout),
    .value("threads") { $0.threads = try Int(parsing: $1, in: 1...2) },
  ]

  private static let forms: [String: OptionRow] = [
    "control results": results,
    "mapping convert output": mappingOutput,
    "mapping init output": mappingOutput,
    "plan output": .value("output", \.outputPath).takingDash(),
    "report output": .value("output", \.outputPath).takingDash(),
    "fixture model": .value("model") { $0.modelFiles = [$1] },
    "fleet run mappings": .values("mappings") { $0.work.mappings.append(FilePath.absolute($1)) },
    "fleet run models": .values("models") { $0.work.models.append(FilePath.absolute($1)) },
    "fleet run results": results,
    "preflight sample": .value("sample") {
      guard let share = Double(percentage: $1), share > 0 else {
        throw UsageError($1, among: ["a share as 1%, above 0% and at most 100%"])
      }
      $0.keyShare = share
    },
  ]

  /// The rows that follow a command's own in every table; `--json` where it prints documents.
  static func common(_ results: [ResultFormat]) -> [OptionRow] {
    let json = OptionRow.flag("json", \.output.isJSON)
    let others: [OptionRow] = [
      .flag("quiet", \.output.isQuiet), .flag("no-color", \.output.isColorless),
      .count("verbose") { $0.output.verbosity += $1 },
    ]
    return ((results.isEmpty ? [] : [json]) + others).map { $0.of(Manual.name) }
  }

  /// A single file of results.
  private static let results = OptionRow.value("results") { $0.results = [$1] }

  private static let mappingOutput = OptionRow.value("output") {
    $0.outputPath = $1 == "-" ? nil : $1
  }.takingDash()

  private static func pairs<Value>(
    _ name: String,
    _ path: ArgumentPath<[String: Value]>,
    _ parse: @escaping @Sendable (String) throws -> Value
  ) -> OptionRow {
    .values(name) {
      for (name, text) in try PairList.parse($1) { $0[keyPath: path][name] = try parse(text) }
    }
  }
}

/// What `fleet run` and its workers do with each store; a worker gets it as JSON.
struct FleetWork: Codable, Sendable {
  var path = "bulkmigrate.fleet.json"
  var maxMemory = Arguments.usualMemory
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
      guard let scratch, !scratch.isEmpty else {
        throw UsageError("--stage-in needs --scratch, a folder for local stores")
      }
      for name in ["{from}", "{to}"] where (fetching + putting).contains(name) {
        throw UsageError(
          "\(name) is not replaced in --stage-in and --stage-out, where quotes around it would let the shell execute a "
            + "name; write \"$FROM\" and \"$TO\""
        )
      }
      return try StageCommands(in: fetching, out: putting, scratch: scratch)
    case (nil, _?), (_?, nil):
      throw UsageError("--stage-in and --stage-out need each other")
    }
  }
}
