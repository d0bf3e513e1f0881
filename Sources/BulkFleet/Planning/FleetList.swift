internal import BulkPlatform

/// The list of a fleet's stores, of which places are held and lines are read when they are needed.
package final class FleetList {
  private let path: String
  private let lines: ByteLines
  private let decoder = JSONDecoder()

  /// Opens a list.
  ///
  /// - Throws: ``FleetError/unreadable(path:reason:)``.
  package init(_ path: String) throws(FleetError) {
    self.path = path
    lines = try Manifest.lines(path, from: 0)
  }

  /// Reads all stores in order, with their places.
  ///
  /// - Throws: ``FleetError``.
  package func read(
    _ body: (Int64, FleetStore) throws(FleetError) -> Void
  ) throws(FleetError) {
    lines.seek(to: 0)
    while true {
      let place = lines.nextOffset
      guard let line = try Manifest.next(lines, path) else { return }
      try body(place, try store(line))
    }
  }

  /// The store at a place.
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
      throw .badFleet(path: path, reason: "a line of it is no store: \(error)")
    }
  }
}

extension FleetPlan {
  /// The list of stores of the plan at a path.
  package func listPath(beside path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent(stores.file).path
  }
}
