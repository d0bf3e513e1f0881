internal import BulkPlatform

/// The lines of a manifest in some forty bytes each, so that a million need at most 64 MiB.
struct ManifestIndex {
  struct Record {
    /// Its offset in the file, in bytes.
    let offset: Int64
    /// The size of its store in bytes; -1 if it is unknown.
    var bytes: Int64
    /// The number of its version; -1 if it is unknown.
    var version: Int32
    /// The number of its store's fault; -1 if none is known.
    var fault: Int32
  }

  /// The faults that are listed; of more only the number is kept.
  private static let faultLimit = 10_000
  /// The lines between two reports of progress.
  private static let reportInterval = 256

  /// The lines in the order of the manifest.
  var records: [Record] = []
  private(set) var versions: [String] = []
  private var numbers: [String: Int32] = [:]
  /// The first names that lines have and that mean nothing.
  private(set) var ignoredMembers: Set<String> = []
  private static let ignoredLimit = 20

  /// Reads a manifest, and checks that ids and destinations are unique; a failure has all faults.
  init(_ manifest: Manifest, _ report: (FleetPlanningProgress) -> Void) throws(FleetError) {
    let size = Double(Manifest.size(of: manifest.path) ?? 0)
    var faults: [(line: Int, reason: String)] = []
    var count = 0
    func add(_ line: some BinaryInteger, _ reason: String) {
      count += 1
      if faults.count < Self.faultLimit { faults.append((Int(line), reason)) }
    }
    var ids: [Place] = []
    var destinations: [Place] = []
    var sources: [Place] = []
    var records: [Record] = []
    try manifest.read { line, offset, found throws(FleetError) in
      if line % Self.reportInterval == 0 {
        let total = offset > 0 ? Int(Double(line) * size / Double(offset)) : 0
        report(FleetPlanningProgress(.manifest, line, of: total))
      }
      switch found {
      case .failure(let fault): for reason in fault.reasons { add(line, reason) }
      case .success(let entry):
        if ignoredMembers.count < Self.ignoredLimit { ignoredMembers.formUnion(entry.ignored) }
        func place(_ name: String) -> Place {
          Place(hash: name.hashValue, line: Int32(clamping: line), offset: offset)
        }
        ids.append(place(entry.id))
        destinations.append(place(StoreNames.store(ofFile: entry.destination)))
        sources.append(place(StoreNames.store(ofFile: entry.source)))
        let version = entry.version.map { number(of: $0) } ?? -1
        records.append(
          Record(offset: offset, bytes: entry.bytes ?? -1, version: version, fault: -1)
        )
      }
    }
    self.records = records
    ids.sort()
    try Self.eachRepeated(ids, manifest, { $0.id == $1.id }) { first, second, entry in
      add(second, "the id \(entry.id) is that of line \(first) already")
    }
    ids = []
    destinations.sort()
    try Self.eachRepeated(destinations, manifest) {
      StoreNames.collide($0.destination, $1.destination)
    } body: { first, second, entry in
      add(second, "the destination \(entry.destination) is that of line \(first) already")
    }
    try Self.eachOverwritten(sources, by: destinations, manifest) { source, destination, entry in
      add(
        destination,
        "the destination \(entry.destination) is the source of line \(source), or a file beside it"
      )
    }
    if records.isEmpty, count == 0 { add(1, "there is no store in it") }
    guard count == 0 else {
      throw .manifest(manifest.path, faults.sorted { $0.line < $1.line }, of: count)
    }
  }

  /// The sum of two sizes in bytes, of which the second may be unknown; one of 2^61 stands for all that are larger.
  static func sum(_ one: Int64, _ other: Int64) -> Int64 {
    let largest: Int64 = 1 << 61
    return min(one, largest) + min(max(other, 0), largest - min(one, largest))
  }

  mutating func number(of version: String) -> Int32 {
    if let known = numbers[version] { return known }
    let number = Int32(versions.count)
    versions.append(version)
    numbers[version] = number
    return number
  }

  /// A value that must be unique, by its hash.
  private struct Place: Comparable {
    let hash: Int
    let line: Int32
    let offset: Int64

    static func < (one: Place, other: Place) -> Bool {
      (one.hash, one.line) < (other.hash, other.line)
    }
  }

  /// The lines whose sources are stores that other lines make, in the order of the sources; destinations are sorted.
  private static func eachOverwritten(
    _ sources: [Place],
    by destinations: [Place],
    _ manifest: Manifest,
    _ body: (_ source: Int32, _ destination: Int32, FleetStore) -> Void
  ) throws(FleetError) {
    let lines = try manifest.lines()
    for source in sources {
      var index = destinations.startIndex
      var count = destinations.count
      while count > 0 {
        let middle = index + count / 2
        if destinations[middle].hash < source.hash {
          (index, count) = (middle + 1, count - count / 2 - 1)
        } else {
          count /= 2
        }
      }
      while index < destinations.endIndex, destinations[index].hash == source.hash {
        let maker = try manifest.entry(at: destinations[index].offset, lines)
        let reader = try manifest.entry(at: source.offset, lines)
        if StoreNames.collide(maker.destination, reader.source) {
          body(source.line, destinations[index].line, maker)
        }
        index += 1
      }
    }
  }

  /// The lines with a value that an earlier line has; equal hashes are compared by what was written.
  private static func eachRepeated(
    _ sorted: [Place],
    _ manifest: Manifest,
    _ isSame: (FleetStore, FleetStore) -> Bool,
    body: (_ first: Int32, _ second: Int32, FleetStore) -> Void
  ) throws(FleetError) {
    let lines = try manifest.lines()
    var start = 0
    for index in sorted.indices.dropFirst() {
      guard sorted[index].hash == sorted[start].hash else {
        start = index
        continue
      }
      let entry = try manifest.entry(at: sorted[index].offset, lines)
      for former in start..<index {
        let other = try manifest.entry(at: sorted[former].offset, lines)
        guard isSame(other, entry) else { continue }
        body(sorted[former].line, sorted[index].line, entry)
        break
      }
    }
  }
}
