internal import BulkPlan
internal import BulkSupport
internal import BulkSQLite

/// A survey of the stores that a manifest does not describe.
struct FleetSurvey {
  private(set) var faults: [FleetPlan.Fault] = []
  private var numbers: [String: Int] = [:]
  private var routes: [String: [RouteStep]] = [:]
  /// The smallest store of each version that was opened.
  private var smallest: [String: FleetStore] = [:]
  private var losses: [String: FleetPlan.Losses] = [:]
  private var folders: Set<String> = []
  private let table: FleetTable
  private let planner: FleetPlanner

  private static let idLimit = 10
  private static let faultLimit = 1_000

  init(_ table: FleetTable, _ planner: FleetPlanner) {
    (self.table, self.planner) = (table, planner)
  }

  /// Finds out what is unknown of a store.
  mutating func look(at entry: inout FleetStore) {
    if entry.bytes == nil { entry.bytes = Self.size(of: entry.source) }
    guard entry.version == nil else { return }
    do throws(PlanError) {
      let store = try planner.store(entry.source)
      // It may be found although no route leads from it.
      var version: String?
      defer { entry.version = version }
      let template = try planner.template(of: store) { version = $0 }
      routes[template.version] = template.route
      let known = smallest[template.version]?.bytes ?? .max
      if entry.bytes ?? -1 < known { smallest[template.version] = entry }
    } catch {
      // The id identifies the path.
      add(error.description.replacing(entry.source, with: "the store"), to: &entry)
    }
  }

  /// Refuses lines whose stores are not of the version that they name, where no model has it, once stores were opened;
  /// one that cannot be opened is reported elsewhere.
  func refuseUnknownVersions(_ manifest: Manifest) throws(FleetError) {
    let known = planner.versionNames.joined(separator: ", ")
    var faults: [(line: Int, reason: String)] = []
    try table.database.each(
      "SELECT line, claimed, version FROM stores WHERE claimed IS NOT version AND claimed NOT NULL AND fault IS NULL"
    ) { row in
      let store = row.storageClass(at: 2) == .null ? "" : ", and the store is \(row.text(at: 2))"
      let reason = "version is '\(row.text(at: 1))', but the models are \(known)\(store)"
      faults.append((Int(row.int64(at: 0)), reason))
    }
    if !faults.isEmpty { throw .manifest(manifest.path, faults) }
  }

  /// Plans the smallest store of each version, to tell what its stores lose.
  ///
  /// One that cannot be planned has a fault.
  mutating func foreseeLosses(now: Double, limit: LossLimit) {
    for (version, smallest) in smallest.sorted(by: { $0.key < $1.key }) {
      var entry = smallest
      do throws(PlanError) {
        let store = try planner.store(entry.source)
        let plan = try planner.plan(
          store,
          by: planner.template(of: store),
          into: entry.destination,
          now: now
        )
        guard !plan.losses.isEmpty || plan.hasSeveralLegs else { continue }
        losses[version] = FleetPlan.Losses(
          id: entry.id,
          losses: plan.losses.folded,
          isRefused: !limit.allows(plan.losses.certain),
          uncounted: plan.uncountedLosses
        )
      } catch {
        add(error.description.replacing(entry.source, with: "the store"), to: &entry)
      }
    }
  }

  mutating func checkFolder(of entry: inout FleetStore) {
    guard entry.fault == nil, let slash = entry.destination.lastIndex(of: "/") else { return }
    let folder = String(entry.destination[..<slash]) + "/"
    if folders.contains(folder) { return }
    if FileManager.default.fileExists(atPath: folder) {
      folders.insert(folder)
    } else {
      add("the folder of the destination, \(folder), does not exist; make it", to: &entry)
    }
  }

  private mutating func add(_ reason: String, to entry: inout FleetStore) {
    let isOther = numbers[reason] == nil && faults.count >= Self.faultLimit - 1
    let reason = isOther ? "another fault, told once these are corrected" : reason
    let index = numbers[reason] ?? faults.count
    if index == faults.count {
      numbers[reason] = index
      faults.append(FleetPlan.Fault(reason: reason, stores: 0, ids: []))
    }
    entry.fault = reason
    faults[index].stores += 1
    if faults[index].ids.count < Self.idLimit { faults[index].ids.append(entry.id) }
  }

  /// The versions with the number of their stores, most stores first.
  func versions() throws(FleetError) -> [FleetPlan.Version] {
    try table.database.rows(
      """
      SELECT version, count(*), CAST(min(total(bytes), \(FleetDraft.mostBytes).0) AS INTEGER) FROM stores
      WHERE version NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1
      """
    ) {
      let (name, stores, bytes) = ($0.text(at: 0), Int($0.int64(at: 1)), $0.int64(at: 2))
      return FleetPlan.Version(
        name: name,
        stores: stores,
        bytes: bytes,
        route: routes[name],
        losses: losses[name]
      )
    }
  }

  /// The size of a store with its log, in bytes; `nil` if there is none.
  private static func size(of path: String) -> Int64? {
    Manifest.size(of: path).map { $0 + (Manifest.size(of: path + "-wal") ?? 0) }
  }
}
