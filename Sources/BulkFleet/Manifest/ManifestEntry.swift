internal import BulkSupport
internal import BulkExecute

extension FleetStore {
  static let requiredMembers = ["id", "source", "destination"]
  static let knownMembers = requiredMembers + ["bytes", "version", "class"]

  /// The store of a manifest's line, a JSON object, or `nil` for a line without any.
  ///
  /// A failure has everything that is wrong.
  init?(manifestLine line: [UInt8]) throws(EntryFault) {
    guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return nil }
    let values = try Self.values(ofObject: line)
    var faults: [String] = []
    for name in Self.requiredMembers where (values[name] ?? "").isEmpty {
      faults.append("\(name) is missing")
    }
    for (name, value) in values.sorted(by: { $0.key < $1.key }) where value.utf8.contains(0) {
      faults.append("\(name) holds a NUL")
    }
    let size = values["bytes"].flatMap { $0.isEmpty ? nil : $0 }
    let bytes = size.flatMap { Int64($0) }
    if let size, bytes.map({ ![$0].areCounts }) ?? true {
      faults.append("bytes is '\(size)', which is not the size of a store")
    }
    guard faults.isEmpty else { throw EntryFault(reasons: faults) }
    // Most lines name nothing else.
    let isKnown = values.count == Self.knownMembers.count { values[$0] != nil }
    self.init(
      id: values["id"] ?? "",
      source: values["source"] ?? "",
      destination: values["destination"] ?? "",
      bytes: bytes,
      version: values["version"].flatMap { $0.isEmpty ? nil : $0 },
      storeClass: values["class"].flatMap { $0.isEmpty ? nil : $0 },
      ignored: isKnown ? [] : values.keys.filter { !Self.knownMembers.contains($0) }
    )
  }

  private static func values(ofObject line: [UInt8]) throws(EntryFault) -> [String: String] {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(line)
    } catch {
      throw EntryFault(reasons: ["column \(error.position.column): \(error.reason)"])
    }
    guard case .object(let members) = document.root.content else {
      throw EntryFault(reasons: ["it is \(document.root.kind), not an object"])
    }
    var values: [String: String] = [:]
    var faults = document.duplicates.map { "\($0.name) appears twice" }
    for member in members {
      guard FleetStore.knownMembers.contains(member.name) else {
        values[member.name] = ""
        continue
      }
      switch member.value.content {
      case .string(let text): values[member.name] = text
      case .number(let digits) where member.name == "bytes": values[member.name] = digits
      case .null: continue
      case .number, .boolean, .array, .object:
        faults.append("\(member.name) is \(member.value.kind), not a text")
      }
    }
    guard faults.isEmpty else { throw EntryFault(reasons: faults) }
    return values
  }
}

/// The faults of a line of a manifest, a sentence each.
struct EntryFault: Error {
  let reasons: [String]
}

/// The names that a store takes beside its own.
enum StoreNames {
  private static let suffixes = ["-wal", "-shm", "-journal"]
  private static let stateDirectory = ".bulkmigrate"

  /// The store to which a file belongs: the log, the journal or the state directory of one, or what is in that; any other
  /// path is that of a store.
  static func store(ofFile path: String) -> String {
    // Most paths are those of stores.
    if let range = path.firstRange(of: stateDirectory),
      range.upperBound == path.endIndex || path[range.upperBound] == "/"
    {
      return String(path[..<range.lowerBound])
    }
    for suffix in suffixes where path.hasSuffix(suffix) {
      return String(path.dropLast(suffix.count))
    }
    return path
  }

  /// The path without an extension, by which a store has its folder for external values.
  static func stem(_ path: String) -> String {
    // Most stores have this one, and splitting a path takes longer than reading its line.
    let usual = ".sqlite"
    return path.hasSuffix(usual)
      ? String(path.dropLast(usual.count))
      : URL(fileURLWithPath: path, isDirectory: false).deletingPathExtension().path
  }

  /// Whether two paths are the same, or one is a store and the other a file of it.
  static func collide(_ one: String, _ other: String) -> Bool {
    one == other || store(ofFile: one) == other || one == store(ofFile: other)
  }
}
