internal import BulkPlatform
internal import BulkStore

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
  ///
  /// With `keepsValues` stores may have external values, so that no two destinations may have the folder for them. A
  /// failure means nothing where `isStopped` has returned true.
  init(
    _ manifest: Manifest,
    keepsValues: Bool = true,
    isStopped: () -> Bool = { false },
    _ report: (FleetPlanningProgress) -> Void
  ) throws(FleetError) {
    let size = Double(Manifest.size(of: manifest.path) ?? 0)
    var faults: [(line: Int, reason: String)] = []
    var count = 0
    func add(_ line: some BinaryInteger, _ reason: String) {
      count += 1
      if faults.count < Self.faultLimit { faults.append((Int(line), reason)) }
    }
    let key = keepsValues ? StoreNames.stem : { $0 }
    var ids: [Occurrence] = []
    var destinations: [Occurrence] = []
    var sources: [Occurrence] = []
    var records: [Record] = []
    try manifest.read { line, offset, found throws(FleetError) in
      if line % Self.reportInterval == 0 {
        try Self.end(isStopped, manifest)
        let total = offset > 0 ? Int(Double(line) * size / Double(offset)) : 0
        report(FleetPlanningProgress(.manifest, line, of: total))
      }
      switch found {
      case .failure(let fault): for reason in fault.reasons { add(line, reason) }
      case .success(let entry):
        if ignoredMembers.count < Self.ignoredLimit { ignoredMembers.formUnion(entry.ignored) }
        func occurrence(_ name: String, isOwner: Bool = false) -> Occurrence {
          let line = Int32(clamping: line)
          return Occurrence(hash: name.hashValue, isOwner: isOwner, line: line, offset: offset)
        }
        func add(_ path: String, to occurrences: inout [Occurrence]) {
          let (name, owner) = (key(path), key(StoreNames.store(ofFile: path)))
          occurrences.append(occurrence(name))
          if owner != name { occurrences.append(occurrence(owner, isOwner: true)) }
        }
        ids.append(occurrence(entry.id))
        add(entry.destination, to: &destinations)
        add(entry.source, to: &sources)
        let version = entry.version.map { number(of: $0) } ?? -1
        records.append(
          Record(offset: offset, bytes: entry.bytes ?? -1, version: version, fault: -1)
        )
      }
    }
    self.records = records
    ids.sort()
    try Self.eachRepeated(ids, manifest, isStopped) { first, second, other, entry in
      guard other.id == entry.id else { return false }
      add(second, "the id \(entry.id) is that of line \(first) already")
      return true
    }
    ids = []
    destinations.sort()
    try Self.eachRepeated(destinations, manifest, isStopped) { first, second, other, entry in
      let path = entry.destination
      if StoreNames.collide(other.destination, path) {
        add(second, "the destination \(path) is that of line \(first) already")
        return true
      }
      let folder = ExternalBinaryData.supportFolder
      guard keepsValues, folder(path) == folder(other.destination) else { return false }
      add(second, "the destination \(path) has the folder for values of that of line \(first)")
      return true
    }
    try Self.eachOverwritten(sources, by: destinations, manifest, isStopped) {
      source,
      destination,
      entry in
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
  private struct Occurrence: Comparable {
    let hash: Int
    /// Whether it is the store to which the file of the line belongs; such files may have one in common.
    let isOwner: Bool
    let line: Int32
    let offset: Int64

    static func < (one: Occurrence, other: Occurrence) -> Bool {
      (one.hash, one.isOwner ? 1 : 0, one.line) < (other.hash, other.isOwner ? 1 : 0, other.line)
    }
  }

  private static func end(_ isStopped: () -> Bool, _ manifest: Manifest) throws(FleetError) {
    if isStopped() { throw .unreadable(path: manifest.path, reason: "reading it was stopped") }
  }

  /// The lines whose sources are stores that other lines make, in the order of the sources; destinations are sorted.
  private static func eachOverwritten(
    _ sources: [Occurrence],
    by destinations: [Occurrence],
    _ manifest: Manifest,
    _ isStopped: () -> Bool,
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
      while index < destinations.endIndex, destinations[index].hash == source.hash,
        !source.isOwner || !destinations[index].isOwner
      {
        try end(isStopped, manifest)
        let maker = try manifest.entry(at: destinations[index].offset, lines)
        let reader = try manifest.entry(at: source.offset, lines)
        if StoreNames.collide(maker.destination, reader.source) {
          body(source.line, destinations[index].line, maker)
        }
        index += 1
      }
    }
  }

  /// The lines with a value that an earlier line has; equal hashes are compared by what was written, until `isRepeated`.
  private static func eachRepeated(
    _ sorted: [Occurrence],
    _ manifest: Manifest,
    _ isStopped: () -> Bool,
    _ isRepeated: (_ first: Int32, _ second: Int32, FleetStore, FleetStore) -> Bool
  ) throws(FleetError) {
    let lines = try manifest.lines()
    var start = 0
    for index in sorted.indices.dropFirst() {
      guard sorted[index].hash == sorted[start].hash else {
        start = index
        continue
      }
      if sorted[start].isOwner { continue }
      let entry = try manifest.entry(at: sorted[index].offset, lines)
      // Owners come last.
      for former in sorted[start..<index].lazy.prefix(while: { !$0.isOwner }) {
        try end(isStopped, manifest)
        let other = try manifest.entry(at: former.offset, lines)
        let isFirst = former.line < sorted[index].line
        let (first, second) = isFirst ? (former, sorted[index]) : (sorted[index], former)
        let (earlier, later) = isFirst ? (other, entry) : (entry, other)
        if isRepeated(first.line, second.line, earlier, later) { break }
      }
    }
  }
}
