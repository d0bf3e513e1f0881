internal import BulkPlan
internal import BulkPlatform

/// Plans a fleet: reads a manifest, determines what it leaves out, and divides the stores into
/// bins.
package struct FleetDraft {
  /// The bins that a list has at most, unless another number is given.
  package static let usualBins = 1_000

  /// The seconds that one worker takes for a store, about: 50 ms, and its bytes at 20 MB a second.
  static func seconds(of bytes: Int64) -> Double { 0.05 + Double(max(bytes, 0)) / 20_000_000 }

  /// How often stage commands are called for a store without external values: its receipt, the store and its log are
  /// fetched, the new store and its receipt are put.
  private static let callsOfStagedStore: Int64 = 5

  private let manifest: Manifest
  private let settings: FleetPlan.Settings
  private let bins: Int
  private let isStaged: Bool

  /// A draft of a fleet whose stores, if they are staged, are fetched by commands, so that none can be opened; the list
  /// has so many bins at most.
  package init(
    _ manifest: String,
    _ settings: FleetPlan.Settings,
    bins: Int,
    isStaged: Bool
  ) {
    self.manifest = Manifest(manifest, root: settings.root, isStaged: isStaged)
    self.settings = settings
    self.bins = bins
    self.isStaged = isStaged
  }

  /// Plans the fleet, and writes the list of stores; the plan itself is not written.
  ///
  /// Without the closures that know them, policies and transformers are checked only when stores are migrated.
  ///
  /// The result is `nil` if it was stopped.
  package func plan(
    writing list: String,
    now: Double,
    knowsPolicy: (@Sendable (String) -> Bool)?,
    knowsTransformer: (@Sendable (String) -> Bool)?,
    isStopped: () -> Bool,
    report: (FleetPlanningProgress) -> Void = { _ in }
  ) throws -> FleetPlan? {
    var plan = FleetPlan(
      bulkmigrate: FleetPlan.format,
      fingerprint: "",
      manifest: manifest.path,
      now: now,
      settings: settings,
      inputs: try InputDigests.all(models: settings.models, mappings: settings.mappings),
      stores: FleetPlan.List(file: "", digest: "", count: 0, bytes: 0, bins: 0, seconds: 0),
      versions: [],
      faults: []
    )
    let planner = try FleetPlanner(
      plan.request(knowsPolicy: knowsPolicy, knowsTransformer: knowsTransformer)
    )
    let index: ManifestIndex
    do throws(FleetError) {
      index = try ManifestIndex(
        manifest,
        // Staged values are put one by one, under names of their own.
        keepsValues: !isStaged && planner.keepsValues,
        isStopped: isStopped,
        report
      )
    } catch {
      if isStopped() { return nil }
      throw error
    }
    var survey = FleetSurvey(index, planner)
    let lines = try manifest.lines()
    if !isStaged {
      for number in survey.index.records.indices {
        if isStopped() { return nil }
        report(FleetPlanningProgress(.stores, number, of: survey.index.records.count))
        guard survey.isUnknown(number) else { continue }
        survey.look(at: try manifest.entry(at: survey.index.records[number].offset, lines), number)
      }
    }
    try survey.refuseUnknownVersions(manifest)
    let offsets = survey.index.records.map(\.offset)
    try survey.foreseeLosses(now: now, limit: settings.maxLoss) { number throws(FleetError) in
      try manifest.entry(at: offsets[number], lines)
    }
    plan.ignoredMembers =
      survey.index.ignoredMembers.isEmpty ? nil : survey.index.ignoredMembers.sorted()
    plan.stores = try write(&survey, lines, to: list, report)
    (plan.versions, plan.faults) = (survey.versions(), survey.faults)
    plan.fingerprint = plan.computedFingerprint
    return plan
  }

  /// Writes the list, heaviest first; a store without a size comes last.
  private func write(
    _ survey: inout FleetSurvey,
    _ lines: ByteLines,
    to path: String,
    _ report: (FleetPlanningProgress) -> Void
  ) throws(FleetError) -> FleetPlan.List {
    let records = survey.index.records
    let order = records.indices.sorted {
      (-records[$0].bytes, $0) < (-records[$1].bytes, $1)
    }
    let output = try OutputLines(path)
    let total = records.reduce(0) { $0 + Self.seconds(of: $1.bytes) }
    var (bin, part, bytes, seconds) = (0, -1, Int64(0), 0.0)
    for (index, number) in order.enumerated() {
      report(FleetPlanningProgress(.list, index, of: order.count))
      var record = records[number]
      // Of as many equal parts of all time the one in which the store begins.
      let share = min(Int(seconds / total * Double(bins)), bins - 1)
      if share > part { (bin, part) = (bin + 1, share) }
      seconds += Self.seconds(of: record.bytes)
      bytes = ManifestIndex.sum(bytes, record.bytes)
      var store = try manifest.entry(at: record.offset, lines)
      if !isStaged {
        survey.checkFolder(of: store, number)
        record = survey.index.records[number]
      }
      store.bin = bin
      store.bytes = record.bytes < 0 ? nil : record.bytes
      store.version = record.version < 0 ? nil : survey.index.versions[Int(record.version)]
      store.fault = record.fault < 0 ? nil : survey.faults[Int(record.fault)].reason
      try output.append(store.line)
    }
    return FleetPlan.List(
      file: URL(fileURLWithPath: path).lastPathComponent,
      digest: try output.end(),
      count: records.count,
      bytes: bytes,
      bins: bin,
      seconds: seconds.rounded(.up),
      requests: isStaged ? Int64(records.count) * Self.callsOfStagedStore : nil
    )
  }
}

package struct FleetPlanningProgress: Hashable, Sendable {
  package enum Stage: Hashable, Sendable {
    case manifest
    /// Stores are opened that the manifest does not describe.
    case stores
    case list
  }

  package var stage: Stage
  /// The lines or stores that are done.
  package var done: Int64
  /// All of them, of a manifest by the bytes of its lines so far; 0 where that is not known.
  package var total: Int64

  init(_ stage: Stage, _ done: Int, of total: Int) {
    (self.stage, self.done, self.total) = (stage, Int64(done), Int64(total))
  }
}
