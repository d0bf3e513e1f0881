internal import BulkPlan
internal import BulkPlatform
internal import BulkVersions

/// A survey of the stores that a manifest does not describe.
struct FleetSurvey {
  var index: ManifestIndex
  private(set) var faults: [FleetPlan.Fault] = []
  private var numbers: [String: Int32] = [:]
  private var routes: [String: [RouteStep]] = [:]
  /// The smallest store of each version that was opened, by its number.
  private var smallest: [String: Int] = [:]
  private var losses: [String: FleetPlan.Losses] = [:]
  private var folders: Set<String> = []
  private let planner: FleetPlanner
  /// The versions that the manifest names and no model has, by the number of the line's record.
  ///
  /// One may be known from a mapping or from a store alone, so such stores are opened.
  private var unknown: [Int: String] = [:]

  private static let idLimit = 10
  private static let faultLimit = 1_000

  init(_ index: ManifestIndex, _ planner: FleetPlanner) {
    self.index = index
    self.planner = planner
    let isKnown = index.versions.map(planner.versionNames.contains)
    for number in index.records.indices {
      let version = Int(index.records[number].version)
      guard version >= 0, !isKnown[version] else { continue }
      unknown[number] = index.versions[version]
      self.index.records[number].version = -1
    }
  }

  func isUnknown(_ number: Int) -> Bool {
    index.records[number].bytes < 0 || index.records[number].version < 0
  }

  mutating func look(at entry: FleetStore, _ number: Int) {
    if index.records[number].bytes < 0 {
      index.records[number].bytes = Self.size(of: entry.source)
    }
    guard index.records[number].version < 0 else { return }
    do throws(PlanError) {
      var version: String?
      // It may be found although no route leads from it.
      defer { if let version { index.records[number].version = index.number(of: version) } }
      let store = try planner.store(entry.source)
      let template = try planner.template(of: store) { version = $0 }
      routes[template.version] = template.route
      let known = smallest[template.version].map { index.records[$0].bytes } ?? .max
      if index.records[number].bytes < known { smallest[template.version] = number }
    } catch {
      // The id identifies the path.
      add(error.description.replacing(entry.source, with: "the store"), entry.id, number)
    }
  }

  /// Refuses lines whose stores are not of the version that they name, where no model has it, once stores were opened;
  /// one that cannot be opened is reported elsewhere.
  func refuseUnknownVersions(_ manifest: Manifest) throws(FleetError) {
    guard !unknown.isEmpty else { return }
    let known = planner.versionNames.joined(separator: ", ")
    var faults: [(line: Int, reason: String)] = []
    var number = -1
    try manifest.read { line, _, found throws(FleetError) in
      guard case .success = found else { return }
      number += 1
      let record = index.records[number]
      guard let name = unknown[number], record.fault < 0 else { return }
      let version = record.version < 0 ? nil : index.versions[Int(record.version)]
      guard version != name else { return }
      let store = version.map { ", and the store is \($0)" } ?? ""
      faults.append((line, "version is '\(name)', but the models are \(known)\(store)"))
    }
    if !faults.isEmpty { throw .manifest(manifest.path, faults) }
  }

  /// Plans the smallest store of each version, to tell what its stores lose.
  ///
  /// One that cannot be planned has a fault.
  mutating func foreseeLosses(
    now: Double,
    limit: LossLimit,
    _ entry: (Int) throws(FleetError) -> FleetStore
  ) throws(FleetError) {
    for (version, number) in smallest.sorted(by: { $0.key < $1.key }) {
      let entry = try entry(number)
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
        add(error.description.replacing(entry.source, with: "the store"), entry.id, number)
      }
    }
  }

  mutating func checkFolder(of entry: FleetStore, _ number: Int) {
    guard index.records[number].fault < 0,
      let slash = entry.destination.lastIndex(of: "/")
    else { return }
    let folder = String(entry.destination[..<slash]) + "/"
    if folders.contains(folder) { return }
    if FileManager.default.fileExists(atPath: folder) {
      folders.insert(folder)
    } else {
      add("the folder of the destination, \(folder), does not exist; make it", entry.id, number)
    }
  }

  private mutating func add(_ reason: String, _ id: String, _ number: Int) {
    let isOther = numbers[reason] == nil && faults.count >= Self.faultLimit - 1
    let reason = isOther ? "another fault, told once these are corrected" : reason
    let faultIndex = numbers[reason] ?? Int32(faults.count)
    if faultIndex == faults.count {
      numbers[reason] = faultIndex
      faults.append(FleetPlan.Fault(reason: reason, stores: 0, ids: []))
    }
    index.records[number].fault = faultIndex
    faults[Int(faultIndex)].stores += 1
    if faults[Int(faultIndex)].ids.count < Self.idLimit { faults[Int(faultIndex)].ids.append(id) }
  }

  /// The versions with the number of their stores, most stores first.
  func versions() -> [FleetPlan.Version] {
    var found = index.versions.map {
      FleetPlan.Version(name: $0, stores: 0, bytes: 0, route: routes[$0], losses: losses[$0])
    }
    for record in index.records where record.version >= 0 {
      found[Int(record.version)].stores += 1
      let sum = found[Int(record.version)].bytes
      found[Int(record.version)].bytes = ManifestIndex.sum(sum, record.bytes)
    }
    return found.filter { $0.stores > 0 }.sorted { ($1.stores, $0.name) < ($0.stores, $1.name) }
  }

  /// The size of a store with its log, in bytes; -1 if there is none.
  private static func size(of path: String) -> Int64 {
    Manifest.size(of: path).map { ManifestIndex.sum($0, Manifest.size(of: path + "-wal") ?? 0) }
      ?? -1
  }
}
