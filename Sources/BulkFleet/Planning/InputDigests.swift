internal import BulkSupport
internal import BulkPlan

/// The digests of the files that models and mappings are made of.
///
/// They are named by the number of their root and their path in it, so they are the same wherever the roots are.
enum InputDigests {
  /// The largest file of a model or a mapping.
  private static let sizeLimit = 256 << 20
  private static let suffixes: Set<String> = ["mom", "omo", "cdm", "json", "plist"]
  private static let folders: Set<String> = [
    "xcdatamodel", "xcdatamodeld", "momd", "xcmappingmodel",
  ]

  static func all(models: [String], mappings: [String]) throws(FleetError) -> [String: String] {
    var result: [String: String] = [:]
    for (kind, roots) in [("models", models), ("mappings", mappings)] {
      for (number, root) in roots.enumerated() {
        for name in try files(in: root) {
          let path = name.isEmpty ? root : "\(root)/\(name)"
          result["\(kind)/\(number + 1)/\(name)"] = try digest(of: path)
        }
      }
    }
    return result
  }

  /// The changes from some digests to others, a sentence each.
  static func changes(from former: [String: String], to now: [String: String]) -> [String] {
    Set(former.keys).union(now.keys).sorted().compactMap { name in
      switch (former[name], now[name]) {
      case (nil, _): "\(name) is new"
      case (_, nil): "\(name) is missing"
      case (let one, let other): one == other ? nil : "\(name) has changed"
      }
    }
  }

  private static func files(in root: String) throws(FleetError) -> [String] {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: root, isDirectory: &isFolder) else {
      throw .unreadable(path: root, reason: "the file or folder does not exist")
    }
    guard isFolder else { return [""] }
    let isPackage = folders.contains(FilePath.suffix(of: root))
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
    return names.sorted().filter { name in
      let parts = name.split(separator: "/").map(String.init)
      let isInPackage =
        isPackage || parts.dropLast().contains { folders.contains(FilePath.suffix(of: $0)) }
      return (isInPackage || suffixes.contains(FilePath.suffix(of: name)))
        && isInput("\(root)/\(name)")
    }
  }

  /// Whether a path is a file, and not JSON of another kind, such as a plan that lies beside models.
  private static func isInput(_ path: String) -> Bool {
    var status = stat()
    // The call fills the status and keeps neither it nor the path.
    return unsafe stat(path, &status) == 0 && status.kind == S_IFREG
      && LibraryMapping(path: path).isMapping
  }

  private static func digest(of path: String) throws(FleetError) -> String {
    do throws(FileReading.Fault) {
      return Digest.text(of: try FileReading.bytes(ofFile: path, atMost: sizeLimit))
    } catch {
      throw .unreadable(
        path: path,
        reason: error.reason(limit: sizeLimit, kind: "model or mapping")
      )
    }
  }
}

extension FleetPlan {
  package func refuseChangedInputs(_ path: String) throws(FleetError) {
    let now = try InputDigests.all(models: settings.models, mappings: settings.mappings)
    let changes = InputDigests.changes(from: inputs, to: now)
    guard changes.isEmpty else { throw .stale(path: path, changes: changes) }
  }

  package func refuseChangedList(_ path: String) throws(FleetError) {
    guard let digest = Digest.text(ofFile: path) else {
      throw .unreadable(path: path, reason: "the file does not exist or cannot be read")
    }
    guard digest == stores.digest else {
      throw .stale(path: path, changes: ["\(stores.file) is not the list that was planned"])
    }
  }
}
