internal import BulkExecute
internal import BulkSupport

/// The list of a fleet's stores; it holds the offsets of lines, and reads a line when it is needed.
package final class FleetList {
  private let path: String
  private let lines: ByteLines
  private let decoder = JSONDecoder()

  package init(_ path: String) throws(FleetError) {
    self.path = path
    lines = try Manifest.lines(path)
  }

  /// Reads the stores of some bins, or all, in order, with their offsets; of others only the bin is read.
  package func read(
    bins isWanted: (Int) -> Bool = { _ in true },
    _ body: (Int64, FleetStore) throws(FleetError) -> Void
  ) throws(FleetError) {
    lines.seek(to: 0)
    while true {
      let offset = lines.nextOffset
      guard let line = try Manifest.next(lines, path) else { return }
      if let bin = Self.bin(line), !isWanted(bin) { continue }
      try body(offset, try store(line))
    }
  }

  /// The bin of a line as `fleet plan` writes it, which begins with it; `nil` of another.
  private static func bin(_ line: [UInt8]) -> Int? {
    let beginning = "{\"bin\":".utf8
    let digits = line.dropFirst(beginning.count).prefix { $0 != UInt8(ascii: ",") }
    let bin = line.starts(with: beginning) ? Int(String(decoding: digits, as: UTF8.self)) : nil
    return bin.flatMap { $0 > 0 ? $0 : nil }
  }

  func store(at offset: Int64) throws(FleetError) -> FleetStore {
    lines.seek(to: offset)
    guard let line = try Manifest.next(lines, path) else {
      throw .unreadable(path: path, reason: "it has changed while it was read")
    }
    return try store(line)
  }

  private func store(_ line: [UInt8]) throws(FleetError) -> FleetStore {
    let found: FleetStore
    do {
      found = try decoder.decode(FleetStore.self, from: Data(line))
    } catch {
      throw .badFleet(path: path, reason: "a line of it is not a store: \(error)")
    }
    guard found.bin > 0, [found.bytes ?? 0].areCounts else {
      throw .badFleet(path: path, reason: "a line of it has a size or a bin that no store has")
    }
    return found
  }
}

extension FleetPlan {
  package func listPath(beside path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent(stores.file).path
  }
}
