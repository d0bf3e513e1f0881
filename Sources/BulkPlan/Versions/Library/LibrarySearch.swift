internal import BulkModel
internal import BulkSupport

/// Searches folders for models, mappings and files that may be stores.
///
/// Hidden folders and those of build systems are skipped. Symbolic links are not followed, so a loop of them
/// does no harm. A path that the user names is searched whatever it is.
struct LibrarySearch {
  /// The maximum number of files and folders that a search visits.
  static let entryLimit = 1_000_000
  /// The depth to which folders are searched.
  static let depthLimit = 64
  /// Folders that hold copies of files elsewhere.
  private static let skipped: Set<String> = ["build", "deriveddata", "node_modules"]

  /// `.xcdatamodeld` and `.momd`, and folders of `.mom` files with a `VersionInfo.plist`.
  private(set) var packages: [String] = []
  /// `.xcdatamodel` and `.mom` outside of packages.
  private(set) var models: [String] = []
  /// `.xcmappingmodel`, `.cdm` and `.json`; not all need be mapping files.
  private(set) var mappings: [String] = []
  /// Files of other names; some may be stores.
  private(set) var others: [String] = []
  /// Folders that cannot be read, and skipped items, a sentence each.
  private(set) var notes: [String] = []

  private var count = 0

  init(_ paths: [String]) throws(PlanError) {
    for path in paths {
      let path = FilePath.absolute(path)
      var isFolder = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw .badModel(.unreadable(path: path, reason: "the file or folder does not exist"))
      }
      if !take(path, isFile: !isFolder) { search(path) }
    }
  }

  /// Adds the file or folder at a path if its name identifies it, or if it is a file.
  private mutating func take(_ path: String, isFile: Bool) -> Bool {
    switch FilePath.suffix(of: path) {
    case "xcdatamodeld", "momd": packages.append(path)
    case "xcdatamodel", "mom": models.append(path)
    case "xcmappingmodel", "cdm": mappings.append(path)
    case "json" where isFile: mappings.append(path)
    default:
      guard isFile else { return false }
      others.append(path)
    }
    return true
  }

  private mutating func search(_ root: String) {
    var open = [(path: root, depth: 0)]
    while let folder = open.popLast() {
      guard let listing = FolderListing(folder.path) else {
        notes.append("\(folder.path) cannot be read")
        continue
      }
      count += listing.entries.count
      guard count <= Self.entryLimit else {
        notes.append("the rest of \(root) is left out, after \(Self.entryLimit) files")
        return
      }
      let isPackage = isPackage(listing)
      if isPackage { packages.append(folder.path) }
      for entry in listing.entries {
        let path = folder.path + "/" + entry.name
        guard entry.kind != .other, !(isPackage && FilePath.suffix(of: path) == "mom") else {
          continue
        }
        if take(path, isFile: entry.kind == .file) { continue }
        guard !Self.skipped.contains(entry.name.lowercased()) else { continue }
        if folder.depth == Self.depthLimit {
          notes.append("\(path) is left out, \(Self.depthLimit) folders deep")
        } else {
          open.append((path, folder.depth + 1))
        }
      }
    }
  }

  private func isPackage(_ listing: FolderListing) -> Bool {
    listing.entries.contains { $0.name == "VersionInfo.plist" }
      && listing.entries.contains { $0.name.hasSuffix(".mom") }
  }
}
