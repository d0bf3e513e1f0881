internal import BulkCoding

/// A store of a fleet, a line of its list.
package struct FleetStore: Codable, Hashable, Sendable {
  /// The number of the bin, from 1.
  package var bin: Int
  /// The name of the store in results.
  package var id: String
  /// The store to read, an absolute path; where stores are staged, whatever the commands understand.
  package var source: String
  /// The store to make.
  package var destination: String
  /// The size of the source in bytes; absent where it could not be found out.
  package var bytes: Int64?
  /// The name of its version; absent where it is unknown.
  package var version: String?
  /// What its owner calls stores of its kind.
  package var storeClass: String?
  /// Why it cannot be migrated, as far as planning found out; absent if nothing is known against it.
  package var fault: String?

  private enum CodingKeys: String, CodingKey {
    case bin, id, source, destination, bytes, version
    case storeClass = "class"
    case fault
  }
}

extension FleetStore {
  /// The store as a line of the list.
  var line: String { (try? StableJSON.line(self)) ?? "" }

  /// The store as a line of a manifest.
  package var manifestLine: String {
    var members = [("id", id), ("source", source), ("destination", destination)]
    if let version { members.append(("version", version)) }
    if let storeClass { members.append(("class", storeClass)) }
    let texts = members.map { "\"\($0)\":\(JSONText.quoted($1))" }
    return "{\((texts + (bytes.map { ["\"bytes\":\($0)"] } ?? [])).joined(separator: ","))}"
  }
}
