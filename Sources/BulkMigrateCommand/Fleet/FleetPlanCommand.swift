import BulkSupport
import BulkExecute
import BulkFleet
import BulkPlan

extension Arguments {
  func planFleet(_ context: CommandContext) throws -> ExitCode {
    var settings = FleetPlan.Settings(request)
    (settings.root, settings.maxLoss) = (root, lossLimit)
    guard !settings.models.isEmpty else { throw UsageError("no models are named; pass --models") }
    try OutputTarget(beside("stores.jsonl"), .fleetList).refuse()
    try OutputTarget(fleetPath, .fleet).refuse()
    let manifest = try writtenManifest()
    Interruption.watch()
    let draft = FleetDraft(manifest, settings, bins: bins, isStaged: isStaged)
    let progress = context.output.progress()
    defer { progress.finish() }
    let planned = try draft.plan(
      writing: beside("stores.jsonl"),
      now: SystemHost.current.now().timeIntervalSinceReferenceDate.rounded(.down),
      knowsPolicy: context.knowsPolicy,
      knowsTransformer: context.knowsTransformer,
      isStopped: { Interruption.signal != nil },
      report: { progress.update(TaskProgress($0)) }
    )
    progress.finish()
    guard let plan = planned else { return Interruption.exitCode }
    try OutputTarget(fleetPath, .fleet).write(try plan.encoded())
    try context.output.show(plan, as: .fleet, plan.lines)
    if !context.output.isJSON {
      context.output.note(
        "fleet written to \(fleetPath); to migrate it, type: \(context.program) fleet run"
          + (fleetPath == FleetWork().path ? "" : " --fleet \(fleetPath)")
      )
    }
    return .done
  }

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

  private var fleetPath: String { outputPath ?? FleetWork().path }

  private func beside(_ suffix: String) -> String {
    "\(fleetPath.hasSuffix(".json") ? String(fleetPath.dropLast(5)) : fleetPath).\(suffix)"
  }
}

extension FleetPlan {
  var lines: [String] {
    var page = Document(isMarkdown: false)
    page.addLines(
      versions.table(
        .left("VERSION") { $0.name },
        .right("STORES") { Int64($0.stores).grouped },
        .right("BYTES") { "\(ByteCount(bytes: $0.bytes))" },
        .left("ROUTE") { version in
          version.route.map { $0.isEmpty ? "copied as it is" : $0.line } ?? ""
        }
      )
    )
    if let ignoredMembers {
      page.addSentence("not read in the manifest: \(ignoredMembers.joined(separator: ", "))")
    }
    for version in versions {
      guard let found = version.losses else { continue }
      let limit = LossLimit.count(found.losses.certain)
      let refusal = "run would refuse this store; to allow it, pass --max-loss \(limit)"
      page.addItem(
        "lost of \(version.name), as in \(found.id):",
        found.losses.map { "\($0)" } + (found.isRefused ? [refusal] : [])
          + [found.uncounted].compactMap(\.self)
      )
    }
    for fault in faults {
      let more = fault.stores > fault.ids.count ? ", …" : ""
      page.addItem(
        "cannot be migrated: \(fault.ids.joined(separator: ", "))\(more)",
        fault.reason.split(separator: "\n").map(String.init)
      )
    }
    page.addLines(sum)
    return page.lines
  }

  private var sum: [String] {
    let lost = faults.reduce(0) { $0 + $1.stores }
    let size = ByteCount(bytes: stores.bytes)
    let calls = stores.requests.map {
      " by \($0.grouped) calls, and more for external values"
    }
    let moved = calls.map { "; \(ByteCount(bytes: 2 * stores.bytes)) are moved" + $0 } ?? ""
    let time = Duration.seconds(stores.seconds ?? 0).short
    return [
      "\(stores.count.phrase("store")) in \(stores.bins.phrase("bin")), \(size); \(lost) that cannot be migrated as they are",
      stores.bytes > 0
        ? "about \(time) of one worker, and \(size) for the stores to make\(moved)"
        : "sizes are not known" + (calls.map { "; stores are moved" + $0 } ?? ""),
    ]
  }
}

extension FleetError: ErrorWithExitCode {
  var exitCode: ExitCode { ExitCode(rawValue: code) ?? .failed }
}

extension FleetRun.Ending {
  var exitCode: ExitCode {
    switch self {
    case .done: .done
    case .failuresAllowed: .rejected
    case .tooManyFailures: .failed
    case .verificationFailed: .verificationFailed
    case .workLeft: .workLeft
    }
  }
}

extension FleetLimit: OptionValue {
  /// Parses a number of stores, or a share in percent.
  init(parsing text: String) throws(UsageError) {
    if let share = Double(percentage: text) {
      self = .share(share)
    } else if let count = Int64(count: text) {
      self = .count(Int(clamping: count))
    } else {
      throw UsageError(text, among: ["a number of stores", "a share as 1%"])
    }
  }
}
