internal import BulkPlatform

/// What is held of every line of a manifest: some forty bytes, so that a million lines need no more than 64 MiB.
struct ManifestIndex {
  /// A line.
  struct Record {
    /// Where it begins, in bytes.
    let offset: Int64
    /// The size of its store in bytes; -1 if it is unknown.
    var bytes: Int64
    /// The number of its version; -1 if it is unknown.
    var version: Int32
    /// The number of what is wrong with its store; -1 if nothing is known.
    var fault: Int32
  }

  /// The faults that are listed; of more only the number is told.
  private static let faultLimit = 10_000

  /// The lines in the order of the manifest.
  var records: [Record] = []
  /// The names of versions, by number.
  private(set) var versions: [String] = []
  private var numbers: [String: Int32] = [:]

  /// Reads a manifest, and checks that ids and destinations are unique.
  ///
  /// - Throws: ``FleetError/manifest(path:faults:count:)`` with all faults.
  init(_ manifest: Manifest) throws(FleetError) {
    var faults: [ManifestFault] = []
    var count = 0
    func add(_ line: Int, _ reason: String) {
      count += 1
      if faults.count < Self.faultLimit { faults.append(ManifestFault(line: line, reason: reason)) }
    }
    var ids: [Place] = []
    var destinations: [Place] = []
    var records: [Record] = []
    try manifest.read { line, offset, found throws(FleetError) in
      switch found {
      case .failure(let fault): for reason in fault.reasons { add(line, reason) }
      case .success(let entry):
        ids.append(Place(hash: entry.id.hashValue, line: Int32(clamping: line), offset: offset))
        destinations.append(
          Place(hash: entry.destination.hashValue, line: Int32(clamping: line), offset: offset)
        )
        let version = entry.version.map { number(of: $0) } ?? -1
        records.append(
          Record(offset: offset, bytes: entry.bytes ?? -1, version: version, fault: -1)
        )
      }
    }
    self.records = records
    for (first, second, entry) in try Self.repeated(ids, manifest, \.id) {
      add(second, "the id \(entry.id) is that of line \(first) already")
    }
    for (first, second, entry) in try Self.repeated(destinations, manifest, \.destination) {
      add(second, "the destination \(entry.destination) is that of line \(first) already")
    }
    if records.isEmpty, count == 0 { add(1, "there is no store in it") }
    guard count == 0 else {
      throw .manifest(
        path: manifest.path,
        faults: faults.sorted { $0.line < $1.line },
        count: count
      )
    }
  }

  /// The number of a version.
  mutating func number(of version: String) -> Int32 {
    if let known = numbers[version] { return known }
    let number = Int32(versions.count)
    versions.append(version)
    numbers[version] = number
    return number
  }

  /// A value that must be unique, by its hash.
  private struct Place {
    let hash: Int
    let line: Int32
    let offset: Int64
  }

  /// The lines with a value that an earlier line has; equal hashes are compared by what was written.
  private static func repeated(
    _ places: [Place],
    _ manifest: Manifest,
    _ value: KeyPath<ManifestEntry, String>
  ) throws(FleetError) -> [(first: Int, second: Int, entry: ManifestEntry)] {
    let sorted = places.sorted { ($0.hash, $0.line) < ($1.hash, $1.line) }
    let lines = try manifest.lines()
    var result: [(first: Int, second: Int, entry: ManifestEntry)] = []
    var start = 0
    for index in sorted.indices.dropFirst() {
      guard sorted[index].hash == sorted[start].hash else {
        start = index
        continue
      }
      let entry = try manifest.entry(at: sorted[index].offset, lines)
      for former in start..<index {
        let other = try manifest.entry(at: sorted[former].offset, lines)
        guard other[keyPath: value] == entry[keyPath: value] else { continue }
        result.append((Int(sorted[former].line), Int(sorted[index].line), entry))
        break
      }
    }
    return result
  }
}
