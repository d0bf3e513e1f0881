import BulkCoding
import BulkExecute
import BulkFleet
import BulkPlan
import BulkPlatform
import BulkVersions

struct FleetPlanCommand: ParsableCommand, PolicyArguments {
  var output = OutputOptions()
  var policies = PolicyOptions()
  var manifest: String?
  var folder: String?
  var pattern = "*.sqlite"
  var destinationFolder: String?
  var root: String?
  /// What the settings of the fleet are made from.
  var request = PlanRequest()
  var maxLoss = LossLimit.usual
  var bins = FleetDraft.usualBins
  var isStaged = false
  var path = FleetCommand.defaultPath

  static let table = OptionTable(
    command: "fleet plan",
    summary: "Read a manifest, find the route of every version, and write it down.",
    explanation: """
      A manifest has a JSON object a line, {"id": …, "source": …, "destination": …}; "bytes", "version" and "class" \
      are optional. Stores of which bytes and version are given are not opened. Paths \
      are relative to the manifest. All faults of a manifest are listed with their lines. A store that cannot be read, \
      or that has no route, is not a fault: it is reported, and fleet run quarantines it.
      """,
    examples: [
      "bulkmigrate fleet plan --manifest stores.jsonl --models App.xcdatamodeld --mappings Mappings":
        "Plan a fleet, and write it to bulkmigrate.fleet.json.",
      "bulkmigrate fleet plan --folder old --pattern '*.sqlite' --into new --models App.xcdatamodeld":
        "Plan all stores of a folder.",
    ],
    results: [.fleet],
    defaults: FleetPlanCommand(),
    options: [
      .value("manifest", "FILE", \.manifest).help("The list of stores, a JSON object a line."),
      .value("folder", "DIR", \.folder).help("In place of a manifest: the folder of the stores."),
      .value("pattern", "PATTERN", \.pattern).help("With --folder: the names of stores."),
      .value("into", "DIR", \.destinationFolder).help(
        "With --folder: the folder for the stores to make."
      ),
      .value("root", "DIR") {
        $0.root = FilePath.absolute($1)
      }.help("The folder in which all stores must be, also while they run."),
      .value("bins", "N", in: 1...1_000_000, \.bins).help(
        "How many bins of about equal bytes there are at most, for fleet run --bin and tasks of Spark."
      ),
      .flag("staged", \.isStaged).help(
        "The names of stores are for the commands of fleet run --stage-in and --stage-out; none is opened."
      ),
      .value("output", short: "o", "FILE", \.path).help("Where to write the plan of the fleet."),
    ],
    shared: [
      SharedOptions(
        of: "plan",
        PlanRequest.routeOptions.named(
          "models",
          "mappings",
          "ignore-mapping",
          "to",
          "no-infer",
          "like-core-data",
          "allow"
        ).within(\FleetPlanCommand.request) + PolicyOptions.rows.within(\FleetPlanCommand.policies)
      ),
      SharedOptions(
        of: "run",
        [
          .value("max-loss", "N", \.maxLoss).help("How much a store may lose.")
        ]
      ),
    ]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    let manifest = try writtenManifest()
    var settings = FleetPlan.Settings(request)
    (settings.root, settings.maxLoss) = (root, maxLoss)
    guard !settings.models.isEmpty else { throw UsageError("no models are named; pass --models") }
    try refuseOtherFiles()
    let interruption = Interruption.watch()
    let draft = FleetDraft(manifest, settings, bins: bins, isStaged: isStaged)
    let progress = context.output.progress()
    defer { progress.finish() }
    let planned = try draft.plan(
      writing: beside("stores.jsonl"),
      now: SystemHost.current.now().timeIntervalSinceReferenceDate.rounded(.down),
      knowsPolicy: context.knowsPolicy,
      knowsTransformer: context.knowsTransformer,
      isStopped: { interruption.signal != nil },
      report: { progress.update(TaskProgress($0)) }
    )
    progress.finish()
    guard let plan = planned else { return interruption.exitCode }
    try OutputTarget(path, .fleet).write(try plan.encoded())
    try context.output.show(plan, as: .fleet, plan.lines)
    if !context.output.isJSON {
      context.output.note(
        "fleet written to \(path); to migrate it, type: \(context.program) fleet run"
          + (path == FleetCommand.defaultPath ? "" : " --fleet \(path)")
      )
    }
    return .done
  }

  /// The manifest that is named, or one of a folder, which is written first.
  private func writtenManifest() throws -> String {
    switch (manifest, folder) {
    case (let manifest?, nil) where manifest.lowercased().hasSuffix(".csv"):
      throw UsageError(
        "\(manifest): a manifest has a JSON object a line, which sqlite3 makes of CSV by json_object('id', id, …)"
      )
    case (let manifest?, nil): return manifest
    case (nil, let folder?):
      guard let destinationFolder else {
        throw UsageError("--folder needs --into, the folder for the stores to make")
      }
      let path = beside("manifest.jsonl")
      try OutputTarget(path, .manifest).refuse()
      try FolderManifest.write(to: path, of: folder, matching: pattern, into: destinationFolder)
      return path
    case (nil, nil), (_?, _?):
      throw UsageError("name the stores with either --manifest or --folder")
    }
  }

  /// A file beside the plan, as `bulkmigrate.fleet.stores.jsonl`.
  private func beside(_ suffix: String) -> String {
    "\(path.hasSuffix(".json") ? String(path.dropLast(5)) : path).\(suffix)"
  }

  /// Refuses to overwrite a file that is not the plan of a fleet.
  private func refuseOtherFiles() throws {
    try OutputTarget(beside("stores.jsonl"), .fleetList).refuse()
    try OutputTarget(path, .fleet).refuse()
  }
}

extension FleetPlan {
  var lines: [String] {
    let table = versions.table(
      .left("VERSION") { $0.name },
      .right("STORES") { Int64($0.stores).grouped },
      .right("BYTES") { "\(ByteCount(bytes: $0.bytes))" },
      .left("ROUTE") { version in
        version.route.map { $0.isEmpty ? "copied as it is" : $0.line } ?? ""
      }
    )
    return table + ignoredLines + lossLines + faultLines + [""] + sum
  }

  private var lossLines: [String] {
    versions.flatMap { version -> [String] in
      guard let found = version.losses else { return [] }
      let limit = LossLimit.count(found.losses.most)
      let refusal =
        found.isRefused
        ? ["  run would refuse this store; to allow it, pass --max-loss \(limit)"] : []
      return ["", "lost of \(version.name), as in \(found.id):"]
        + found.losses.map { "  \($0)" } + refusal
    }
  }

  private var ignoredLines: [String] {
    guard let ignoredMembers else { return [] }
    return ["", "not read in the manifest: \(ignoredMembers.joined(separator: ", "))"]
  }

  private var faultLines: [String] {
    faults.flatMap { fault in
      let more = fault.stores > fault.ids.count ? ", …" : ""
      return ["", "cannot be migrated: \(fault.ids.joined(separator: ", "))\(more)"]
        + fault.reason.split(separator: "\n").map { "  \($0)" }
    }
  }

  private var sum: [String] {
    let lost = faults.reduce(0) { $0 + $1.stores }
    let count = stores.count == 1 ? "1 store" : "\(Int64(stores.count).grouped) stores"
    let bins = stores.bins == 1 ? "1 bin" : "\(Int64(stores.bins).grouped) bins"
    let size = ByteCount(bytes: stores.bytes)
    let calls = stores.requests.map {
      " by \($0.grouped) calls, and more for external values"
    }
    let moved = calls.map { "; \(ByteCount(bytes: 2 * stores.bytes)) are moved" + $0 } ?? ""
    let time = Duration.seconds(stores.seconds ?? 0).short
    return [
      "\(count) in \(bins), \(size); \(lost) that cannot be migrated as they are",
      stores.bytes > 0
        ? "about \(time) of one worker, and \(size) for the stores to make\(moved)"
        : "sizes are not known" + (calls.map { "; stores are moved" + $0 } ?? ""),
    ]
  }
}
