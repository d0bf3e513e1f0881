internal import BulkSupport

/// A store of a fleet, a line of its list or of a manifest.
package struct FleetStore: Codable, Hashable, Sendable {
  /// The number of the bin, from 1; 0 in a manifest, which has none.
  package var bin = 0
  /// The name of the store in results; unique in the fleet.
  package var id: String
  /// The store to read, an absolute path; where stores are staged, whatever the commands understand.
  package var source: String
  package var destination: String
  /// The size of the source in bytes; absent where a manifest does not say it, or it could not be found out.
  package var bytes: Int64?
  /// The name of its version; absent where it is unknown.
  package var version: String?
  /// The owner's name for stores of its kind.
  var storeClass: String?
  /// Why it cannot be migrated, as far as planning found out; absent if nothing is known against it.
  package var fault: String?
  /// The names of its line in a manifest that mean nothing; not a part of the list.
  var ignored: [String] = []

  private enum CodingKeys: String, CodingKey {
    case bin, id, source, destination, bytes, version
    case storeClass = "class"
    case fault
  }
}

extension FleetStore {
  var line: String { (try? StableJSON.line(self)) ?? "" }

  /// The store as a line of a manifest, with the size that it had if it cannot be found out again.
  package func manifestLine(withSize keepsSize: Bool) -> String {
    let texts: [(String, String?)] = [
      ("id", id), ("source", source), ("destination", destination), ("version", version),
      ("class", storeClass),
    ]
    let size = keepsSize ? bytes.map { "\($0)" } : nil
    return JSONText.object(texts.map { ($0, $1.map(JSONText.quoted)) } + [("bytes", size)])
  }
}
