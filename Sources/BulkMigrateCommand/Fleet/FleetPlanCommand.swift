import BulkCoding
import BulkExecute
import BulkFleet
import BulkPlan
import BulkPlatform
import BulkVersions

/// The arguments of `bulkmigrate fleet plan`.
struct FleetPlanArguments: CommandArguments {
  var output = OutputOptions()
  var manifest: String?
  var folder: String?
  var pattern = "*.sqlite"
  var destinationFolder: String?
  var settings = FleetPlan.Settings()
  var bins = FleetDraft.Bins()
  var isStaged = false
  var path = FleetCommand.defaultPath
}

/// `bulkmigrate fleet plan`: reads a manifest and writes the plan of a fleet.
enum FleetPlanCommand {
  static let command = Command(table, run: run)

  private static let table = OptionTable(
    command: "fleet plan",
    summary: "Read a manifest, find the route of every version, and write it down.",
    explanation: """
      A manifest has a JSON object a line, {"id": …, "source": …, "destination": …}, or is a .csv file with a header; \
      "bytes", "version" and "class" are optional. Stores of which bytes and version are given are not opened. Paths \
      are relative to the manifest. All faults of a manifest are listed with their lines. A store that cannot be read, \
      or that has no route, is no fault: it is reported, and fleet run quarantines it.
      """,
    examples: [
      Example(
        "bulkmigrate fleet plan --manifest stores.jsonl --models App.xcdatamodeld --mappings Mappings",
        "Plan a fleet, and write it to bulkmigrate.fleet.json."
      ),
      Example(
        "bulkmigrate fleet plan --folder old --pattern '*.sqlite' --into new --models App.xcdatamodeld",
        "Plan all stores of a folder."
      ),
    ],
    results: [.fleet],
    defaults: FleetPlanArguments(),
    options: [
      .value("manifest", "FILE", "The list of stores, .jsonl or .csv.") { $0.manifest = $1 },
      .value("folder", "DIR", "In place of a manifest: the folder of the stores.") {
        $0.folder = $1
      },
      .value("pattern", "PATTERN", "With --folder: the names of stores.") { $0.pattern = $1 }
        .usually("*.sqlite"),
      .value("into", "DIR", "With --folder: the folder for the stores to make.") {
        $0.destinationFolder = $1
      },
      .value("root", "DIR", "The folder in which all stores must be, also while they run.") {
        $0.settings.root = FilePath.absolute($1)
      },
      .values("models", "DIR", "Where the versions of the model are; folders are searched.") {
        $0.settings.models.append(FilePath.absolute($1))
      },
      .values("mappings", "DIR", "Where mappings are; folders are searched.") {
        $0.settings.mappings.append(FilePath.absolute($1))
      },
      .values("ignore-mapping", "FILE", "A mapping that is found there and not to be used.") {
        $0.settings.ignoredMappings.append(FilePath.absolute($1))
      },
      .value("to", "VERSION", "The version that the stores shall be; the current one without it.") {
        $0.settings.version = $1
      },
      .flag("no-infer", "Infer nothing: only mappings count.") { $0.settings.infers = false },
      .flag("like-core-data", PlanRequest.likeCoreDataHelp) { $0.settings.isLikeCoreData = true },
      .values("allow", "NAME", PlanAllowance.help) {
        $0.settings.allowed = try ($0.settings.allowed ?? []).union([PlanAllowance(parsing: $1)])
      }.among(PlanAllowance.allCases.map(\.rawValue)),
      .value(
        "max-loss",
        "N",
        "How many objects, values and links a store may lose: none, a number, or all."
      ) { $0.settings.maxLoss = try LossLimit(parsing: $1) }.among(["none", "all"]).usually("none"),
      .value("bin-time", "TIME", "The time of a bin of small stores.") {
        $0.bins.seconds = max(try Duration(parsing: $1) / .seconds(1), 0.001)
      }.usually("5m"),
      .value("rate", "SIZE", "The bytes that are migrated in a second.") {
        $0.bins.bytesPerSecond = Double(try ByteCount(parsing: $1).bytes)
      }.usually("20M"),
      .flag(
        "staged",
        "The names of stores are for the commands of fleet run --stage-in and --stage-out; none is opened."
      ) { $0.isStaged = true },
      .value("output", short: "o", "FILE", "Where to write the plan of the fleet.") {
        $0.path = $1
      }.usually(FleetCommand.defaultPath),
    ]
  )

  private static func run(
    _ arguments: FleetPlanArguments,
    _ context: CommandContext
  ) throws -> ExitCode {
    let manifest = try manifest(arguments)
    guard !arguments.settings.models.isEmpty else {
      throw UsageError.contradiction("no models are named; pass --models")
    }
    try refuse(arguments.path)
    let interruption = Interruption.watch()
    let draft = try FleetDraft(
      manifest,
      arguments.settings,
      arguments.bins,
      isStaged: arguments.isStaged
    )
    let policies = context.policies
    let progress = context.output.progress()
    defer { progress.finish() }
    let planned = try draft.plan(
      writing: beside(arguments.path, "stores.jsonl"),
      now: Date().timeIntervalSinceReferenceDate.rounded(.down),
      knowsPolicy: { policies.policy(named: $0) != nil },
      knowsTransformer: { policies.hasTransformer(named: $0) },
      isStopped: { interruption.signal != nil },
      report: { progress.update(ProgressSnapshot($0)) }
    )
    progress.finish()
    guard let plan = planned else { return interruption.exitCode }
    try OwnFile.write(plan.encoded(), to: arguments.path)
    if arguments.output.isJSON {
      try context.output.json(plan, as: .fleet)
    } else {
      try context.output.result(FleetPlanText(plan).lines)
      context.output.note(
        "fleet written to \(arguments.path); to migrate it, type: \(context.program) fleet run"
          + (arguments.path == FleetCommand.defaultPath ? "" : " --fleet \(arguments.path)")
      )
    }
    return .done
  }

  /// The manifest that is named, or one of a folder, which is written first.
  private static func manifest(_ arguments: FleetPlanArguments) throws -> String {
    switch (arguments.manifest, arguments.folder) {
    case (let manifest?, nil): return manifest
    case (nil, let folder?):
      guard let destination = arguments.destinationFolder else {
        throw UsageError.contradiction("--folder needs --into, the folder for the stores to make")
      }
      let path = beside(arguments.path, "manifest.jsonl")
      try OwnFile(path: path, beginning: "{\"id\":", kind: "manifest").refuse()
      try FolderManifest(folder, arguments.pattern, into: destination).write(to: path)
      return path
    case (nil, nil), (_?, _?):
      throw UsageError.contradiction("name the stores with either --manifest or --folder")
    }
  }

  /// A file beside the plan, as `bulkmigrate.fleet.stores.jsonl`.
  private static func beside(_ path: String, _ suffix: String) -> String {
    "\(path.hasSuffix(".json") ? String(path.dropLast(5)) : path).\(suffix)"
  }

  /// Refuses to overwrite a file that is not the plan of a fleet.
  private static func refuse(_ path: String) throws {
    let list = beside(path, "stores.jsonl")
    try OwnFile(path: list, beginning: "{\"bin\":", kind: "list of a fleet").refuse()
    guard FileManager.default.fileExists(atPath: path) else {
      return try OwnFile.refuseFolder(of: path)
    }
    guard !FleetPlan.isFleet(path) else { return }
    throw MigrationError.cannotCreate(
      path: path,
      reason: "it already exists and is no fleet, so it is not overwritten; name another --output"
    )
  }
}

extension ProgressSnapshot {
  /// The progress of planning a fleet.
  init(_ progress: FleetPlanningProgress) {
    let (task, unit): (String, Unit) =
      switch progress.stage {
      case .manifest: ("reading the manifest", .lines)
      case .stores: ("looking at stores", .stores)
      case .list: ("writing the list", .stores)
      }
    self.init(task, progress.done, of: progress.total, unit)
  }
}

/// The plan of a fleet as text.
struct FleetPlanText {
  private let plan: FleetPlan

  init(_ plan: FleetPlan) { self.plan = plan }

  var lines: [String] { versions + faults + ["", sum] }

  private var versions: [String] {
    var table = TextTable(.left("VERSION"), .right("STORES"), .right("BYTES"), .left("ROUTE"))
    for version in plan.versions {
      table.append(
        version.name,
        NumberText.grouped(Int64(version.stores)),
        "\(ByteCount(bytes: version.bytes))",
        Self.route(version)
      )
    }
    return table.lines()
  }

  private static func route(_ version: FleetPlan.Version) -> String {
    guard let route = version.route else { return "" }
    guard !route.isEmpty else { return "copied as it is" }
    return route.map { step in
      let name = URL(fileURLWithPath: step.destination).deletingPathExtension().lastPathComponent
      let mapping = step.mapping.map { URL(fileURLWithPath: $0).lastPathComponent } ?? "inferred"
      return "→ \(name) (\(mapping))"
    }.joined(separator: " ")
  }

  private var faults: [String] {
    plan.faults.flatMap { fault in
      let more = fault.stores > fault.ids.count ? ", …" : ""
      return ["", "cannot be migrated: \(fault.ids.joined(separator: ", "))\(more)"]
        + fault.reason.split(separator: "\n").map { "  \($0)" }
    }
  }

  private var sum: String {
    let lost = plan.faults.reduce(0) { $0 + $1.stores }
    let stores =
      plan.stores.count == 1 ? "1 store" : "\(NumberText.grouped(Int64(plan.stores.count))) stores"
    let bins =
      plan.stores.bins == 1 ? "1 bin" : "\(NumberText.grouped(Int64(plan.stores.bins))) bins"
    return
      "\(stores) in \(bins), \(ByteCount(bytes: plan.stores.bytes)); \(lost) that cannot be migrated as they are"
  }
}
