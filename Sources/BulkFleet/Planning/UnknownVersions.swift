/// The versions that a manifest names and no model has.
///
/// A version may be known from a mapping or from a store alone, so such stores are opened.
struct UnknownVersions {
  /// The names, by the number of the line's record.
  private let names: [Int: String]
  private let known: [String]

  /// Finds them, and forgets them in the index.
  ///
  /// - Parameters:
  ///   - index: The lines.
  ///   - known: The names of versions among the models.
  init(in index: inout ManifestIndex, _ known: [String]) {
    self.known = known
    let unknown = Set(
      index.versions.indices.filter { !known.contains(index.versions[$0]) }.map(Int32.init)
    )
    var names: [Int: String] = [:]
    for number in index.records.indices where unknown.contains(index.records[number].version) {
      names[number] = index.versions[Int(index.records[number].version)]
      index.forgetVersion(of: number)
    }
    self.names = names
  }

  /// Refuses lines whose stores are not of the version, once stores were opened; of one that cannot be opened nothing is
  /// known, which is reported elsewhere.
  ///
  /// - Throws: ``FleetError/manifest(path:faults:count:)``.
  func refuse(_ index: ManifestIndex, _ manifest: Manifest) throws(FleetError) {
    guard !names.isEmpty else { return }
    var faults: [ManifestFault] = []
    var number = 0
    try manifest.read { line, _, found throws(FleetError) in
      guard case .success = found else { return }
      defer { number += 1 }
      guard let name = names[number], let reason = reason(name, index.records[number], index) else {
        return
      }
      faults.append(ManifestFault(line: line, reason: reason))
    }
    guard !faults.isEmpty else { return }
    throw .manifest(path: manifest.path, faults: faults, count: faults.count)
  }

  /// What is wrong with a version, a sentence; `nil` if nothing is.
  private func reason(
    _ name: String,
    _ record: ManifestIndex.Record,
    _ index: ManifestIndex
  ) -> String? {
    if record.fault >= 0 { return nil }
    let found = record.version < 0 ? nil : index.versions[Int(record.version)]
    guard found != name else { return nil }
    let store = found.map { ", and the store is \($0)" } ?? ""
    return "version is '\(name)', but the models are \(known.joined(separator: ", "))\(store)"
  }
}
