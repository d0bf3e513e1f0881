internal import BulkSupport
internal import BulkPlan

/// A list of stores, a JSON object a line, which is read line by line; paths are relative to it.
struct Manifest {
  let path: String
  /// The folder in which all stores must be; `nil` for any.
  private let root: FleetRoot?
  private let isStaged: Bool
  private let folder: String

  /// Stores that are staged have names that only commands understand, which are left as they are.
  init(_ path: String, root: String?, isStaged: Bool) {
    self.isStaged = isStaged
    self.path = FilePath.absolute(path)
    self.root = root.map(FleetRoot.init)
    folder = URL(fileURLWithPath: self.path).deletingLastPathComponent().path
  }

  func read(
    _ body: (Int, Int64, Result<FleetStore, EntryFault>) throws(FleetError) -> Void
  ) throws(FleetError) {
    let lines = try Self.lines(path)
    var number = 1
    while true {
      let offset = lines.nextOffset
      guard let line = try Self.next(lines, path) else { return }
      if let found = result(line) { try body(number, offset, found) }
      number += 1
    }
  }

  private func result(_ line: [UInt8]) -> Result<FleetStore, EntryFault>? {
    do throws(EntryFault) {
      return try entry(line).map { .success($0) }
    } catch {
      return .failure(error)
    }
  }

  /// The size of a file in bytes; `nil` if there is none.
  static func size(of path: String) -> Int64? {
    var status = stat()
    // The call fills the status and keeps neither it nor the path.
    return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : nil
  }

  private func entry(_ line: [UInt8]) throws(EntryFault) -> FleetStore? {
    guard var entry = try FleetStore(manifestLine: line) else { return nil }
    if !isStaged {
      entry.source = absolute(entry.source)
      entry.destination = absolute(entry.destination)
    }
    let (source, destination) = (entry.source, entry.destination)
    var faults =
      root?.faults(source: source, destination: destination, isNamedOnly: isStaged) ?? []
    if entry.source == entry.destination {
      faults.append("source and destination are the same file, \(entry.source)")
    }
    guard faults.isEmpty else { throw EntryFault(reasons: faults) }
    return entry
  }

  private func absolute(_ path: String) -> String {
    let whole = path.hasPrefix("/") ? path : "\(folder)/\(path)"
    // Most paths are normalized, and splitting one takes longer than reading its line.
    let isPlain = !whole.contains("/.") && !whole.contains("//") && !whole.hasSuffix("/")
    return isPlain ? whole : FilePath.absolute(whole)
  }

  static func lines(_ path: String) throws(FleetError) -> ByteLines {
    guard let lines = try? ByteLines(path) else {
      throw .unreadable(path: path, reason: "the file does not exist or cannot be read")
    }
    return lines
  }

  static func next(_ lines: ByteLines, _ path: String) throws(FleetError) -> [UInt8]? {
    do {
      return try lines.next()
    } catch {
      throw .unreadable(path: path, reason: "it cannot be read")
    }
  }
}

/// Manifests of the stores in folders.
package enum FolderManifest {
  /// Writes a manifest of the stores in a folder and its folders whose names match a pattern with `*` and `?`.
  ///
  /// A store's id is its path in the folder; the stores to make get the same names.
  package static func write(
    to path: String,
    of folder: String,
    matching pattern: String,
    into destination: String
  ) throws(FleetError) {
    let (folder, destination) = (FilePath.absolute(folder), FilePath.absolute(destination))
    let names: [String]
    do {
      names = try FileManager.default.subpathsOfDirectory(atPath: folder)
    } catch {
      throw .unreadable(path: folder, reason: "the folder does not exist or cannot be read")
    }
    let file = try OutputLines(path)
    for name in names.sorted() {
      let store = FleetStore(
        id: name,
        source: "\(folder)/\(name)",
        destination: "\(destination)/\(name)"
      )
      let last = name.split(separator: "/").last.map(String.init) ?? name
      // Files in our state directories are not stores of the fleet. The call reads both texts and keeps neither.
      guard !name.contains(".bulkmigrate/"),
        !store.source.utf8.starts(with: (destination + "/").utf8),
        unsafe fnmatch(pattern, last, 0) == 0
      else { continue }
      try file.append(store.manifestLine(withSize: false))
    }
    try file.end()
  }
}
