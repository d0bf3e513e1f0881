internal import BulkCoding
internal import BulkPlatform

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
  package var storeClass: String?
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
  /// The store as a line of the list.
  var line: String { (try? StableJSON.line(self)) ?? "" }

  /// The store as a line of a manifest, with the size that it had if it cannot be found out again.
  package func manifestLine(withSize keepsSize: Bool) -> String {
    var members = [("id", id), ("source", source), ("destination", destination)]
    if let version { members.append(("version", version)) }
    if let storeClass { members.append(("class", storeClass)) }
    let texts = members.map { "\"\($0)\":\(JSONText.quoted($1))" }
    let size = keepsSize ? bytes.map { ["\"bytes\":\($0)"] } : nil
    return "{\((texts + (size ?? [])).joined(separator: ","))}"
  }
}

/// The list of a fleet's stores; it holds the offsets of lines, and reads a line when it is needed.
package final class FleetList {
  private let path: String
  private let lines: ByteLines
  private let decoder = JSONDecoder()

  /// Opens a list.
  ///
  /// - Throws: ``FleetError``.
  package init(_ path: String) throws(FleetError) {
    self.path = path
    lines = try Manifest.lines(path, from: 0)
  }

  /// Reads the stores of some bins, or all, in order, with their places; of others only the bin is read.
  ///
  /// - Throws: ``FleetError``.
  package func read(
    bins isWanted: (Int) -> Bool = { _ in true },
    _ body: (Int64, FleetStore) throws(FleetError) -> Void
  ) throws(FleetError) {
    lines.seek(to: 0)
    while true {
      let place = lines.nextOffset
      guard let line = try Manifest.next(lines, path) else { return }
      if let bin = Self.bin(line), !isWanted(bin) { continue }
      try body(place, try store(line))
    }
  }

  /// The bin of a line as `fleet plan` writes it, which begins with it; `nil` of another.
  private static func bin(_ line: [UInt8]) -> Int? {
    let beginning = Array("{\"bin\":".utf8)
    guard line.starts(with: beginning) else { return nil }
    var bin = 0
    for byte in line[beginning.count...] {
      guard (0x30...0x39).contains(byte) else { return byte == UInt8(ascii: ",") ? bin : nil }
      bin = bin &* 10 &+ Int(byte & 0x0F)
    }
    return nil
  }

  func store(at place: Int64) throws(FleetError) -> FleetStore {
    lines.seek(to: place)
    guard let line = try Manifest.next(lines, path) else {
      throw .unreadable(path: path, reason: "it has changed while it was read")
    }
    return try store(line)
  }

  private func store(_ line: [UInt8]) throws(FleetError) -> FleetStore {
    do {
      return try decoder.decode(FleetStore.self, from: Data(line))
    } catch {
      throw .badFleet(path: path, reason: "a line of it is not a store: \(error)")
    }
  }
}

extension FleetPlan {
  /// The list of stores of the plan at a path.
  package func listPath(beside path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent(stores.file).path
  }
}
