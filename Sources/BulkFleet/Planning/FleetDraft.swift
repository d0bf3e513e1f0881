internal import BulkPlan
internal import BulkSupport
internal import BulkSQLite

/// Plans a fleet: reads a manifest, determines what it leaves out, and divides the stores into
/// bins.
package struct FleetDraft {
  /// The bins that a list has at most, unless another number is given.
  package static let usualBins = 1_000

  /// The seconds that one worker takes for a store, about: 50 ms, and its bytes at 20 MB a second.
  static func seconds(of bytes: Int64) -> Double { secondsOfStore + Double(bytes) / bytesInSecond }
  private static let secondsOfStore = 0.05
  private static let bytesInSecond = 20_000_000.0

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
    isStopped: @escaping () -> Bool,
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
    do throws(FleetError) {
      try fill(&plan, planner, list, isStopped, report)
    } catch {
      if isStopped() { return nil }
      throw error
    }
    plan.fingerprint = plan.computedFingerprint
    return plan
  }

  private func fill(
    _ plan: inout FleetPlan,
    _ planner: FleetPlanner,
    _ list: String,
    _ isStopped: @escaping () -> Bool,
    _ report: (FleetPlanningProgress) -> Void
  ) throws(FleetError) {
    let table = try FleetTable(
      manifest,
      knowing: Set(planner.versionNames),
      // Staged values are put one by one, under names of their own.
      keepsValues: !isStaged && planner.keepsValues,
      isStopped: isStopped,
      report
    )
    var survey = FleetSurvey(table, planner)
    if !isStaged {
      try table.complete { store, number, count throws(FleetError) in
        if isStopped() { throw .unreadable(path: store.source, reason: "reading it was stopped") }
        report(FleetPlanningProgress(.stores, number, of: count))
        survey.look(at: &store)
      }
    }
    try survey.refuseUnknownVersions(manifest)
    survey.foreseeLosses(now: plan.now, limit: settings.maxLoss)
    plan.ignoredMembers = table.ignoredMembers.isEmpty ? nil : table.ignoredMembers.sorted()
    plan.stores = try write(table, &survey, to: list, report)
    (plan.versions, plan.faults) = (try survey.versions(), survey.faults)
  }

  /// A limit of sums that any arithmetic on them can take.
  static let mostBytes: Int64 = 1 << 61

  /// Writes the list, heaviest first; a store without a size comes last.
  private func write(
    _ table: FleetTable,
    _ survey: inout FleetSurvey,
    to path: String,
    _ report: (FleetPlanningProgress) -> Void
  ) throws(FleetError) -> FleetPlan.List {
    let output = try OutputLines(path)
    let times =
      "SELECT total(\(Self.secondsOfStore) + ifnull(bytes, 0) / \(Self.bytesInSecond)) FROM stores"
    let total = try table.database.rows(times) { $0.double(at: 0) }[0]
    var (done, bin, part, bytes, seconds) = (0, 0, -1, Int64(0), 0.0)
    try table.eachBySize { found throws(FleetError) in
      report(FleetPlanningProgress(.list, done, of: table.count))
      done += 1
      // Of as many equal parts of all time the one in which the store begins.
      let share = min(Int(seconds / total * Double(bins)), bins - 1)
      if share > part { (bin, part) = (bin + 1, share) }
      seconds += Self.seconds(of: found.bytes ?? 0)
      bytes = min(bytes + min(found.bytes ?? 0, Self.mostBytes), Self.mostBytes)
      var store = found
      if !isStaged { survey.checkFolder(of: &store) }
      store.bin = bin
      try output.append(store.line)
    }
    return FleetPlan.List(
      file: URL(fileURLWithPath: path).lastPathComponent,
      digest: try output.end(),
      count: table.count,
      bytes: bytes,
      bins: bin,
      seconds: seconds.rounded(.up),
      requests: isStaged ? Int64(table.count) * Self.callsOfStagedStore : nil
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
