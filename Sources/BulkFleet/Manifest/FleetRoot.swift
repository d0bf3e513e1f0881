internal import BulkSupport
internal import BulkPlan

/// The folder in which all stores of a fleet must be: their paths, and the targets of links in
/// them.
struct FleetRoot {
  /// The folder, an absolute path.
  let path: String
  /// The folder at the end of the path, with links followed.
  private let target: String

  init(_ path: String) {
    self.path = FilePath.absolute(path)
    target = Self.target(of: self.path)
  }

  /// Paths of a store that lead outside of the root, a sentence each; names that only commands
  /// understand are not checked.
  func faults(source: String, destination: String, isNamedOnly: Bool = false) -> [String] {
    [("source", source), ("destination", destination)].compactMap { name, path in
      let end = isNamedOnly ? path : Self.target(of: path)
      // Names that only commands understand are not normalized.
      if !Self.isInside(self.path, path) || path.split(separator: "/").contains("..") {
        return "the \(name) \(path) is outside of \(self.path)"
      }
      return isNamedOnly || Self.isInside(target, end)
        ? nil : "the \(name) \(path) leads to \(end), which is outside of \(self.path)"
    }
  }

  private static func isInside(_ root: String, _ path: String) -> Bool {
    // Names of different bytes are different files, even if their texts are equal.
    path.utf8.starts(with: (root == "/" ? root : root + "/").utf8)
  }

  /// The path with links followed, as far as it exists.
  private static func target(of path: String) -> String {
    var (url, rest) = (URL(fileURLWithPath: path), "")
    while url.path != "/" {
      // The call makes a text of its own, which is copied and freed here.
      if let real = unsafe realpath(url.path, nil) {
        defer { unsafe free(real) }
        return unsafe String(cString: real) + rest
      }
      rest = "/" + url.lastPathComponent + rest
      url.deleteLastPathComponent()
    }
    return rest
  }
}
