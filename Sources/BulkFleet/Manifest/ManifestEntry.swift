/// What a manifest says of a store.
struct ManifestEntry: Hashable {
  /// The name of the store in results; unique in the manifest.
  var id: String
  /// The store to read.
  var source: String
  /// The store to make.
  var destination: String
  /// Its size, where the manifest says so.
  var bytes: Int64?
  /// The name of its version, where the manifest says so.
  var version: String?
  /// What its owner calls stores of its kind.
  var storeClass: String?
}

extension ManifestEntry {
  /// The names of what a line may say.
  static let required = ["id", "source", "destination"]
  static let known = required + ["bytes", "version", "class"]

  /// An entry from texts by name.
  ///
  /// - Throws: ``EntryFault`` with everything that is wrong.
  init(_ values: [String: String]) throws(EntryFault) {
    var faults: [String] = []
    for name in Self.required where (values[name] ?? "").isEmpty {
      faults.append("\(name) is missing")
    }
    for (name, value) in values.sorted(by: { $0.key < $1.key }) where value.utf8.contains(0) {
      faults.append("\(name) holds a NUL")
    }
    let size = values["bytes"].flatMap { $0.isEmpty ? nil : $0 }
    let bytes = size.flatMap { Int64($0) }
    if let size, bytes.map({ $0 < 0 }) ?? true {
      faults.append("bytes is '\(size)', which is no number of bytes")
    }
    guard faults.isEmpty else { throw EntryFault(reasons: faults) }
    self.init(
      id: values["id"] ?? "",
      source: values["source"] ?? "",
      destination: values["destination"] ?? "",
      bytes: bytes,
      version: values["version"].flatMap { $0.isEmpty ? nil : $0 },
      storeClass: values["class"].flatMap { $0.isEmpty ? nil : $0 }
    )
  }
}

/// What is wrong with a line of a manifest, a sentence each.
struct EntryFault: Error {
  let reasons: [String]

  init(reasons: [String]) { self.reasons = reasons }

  init(_ reason: String) { reasons = [reason] }
}
