internal import BulkCoding
internal import BulkPlatform
internal import BulkVersions

/// A manifest of the stores in a folder whose names match a pattern.
package struct FolderManifest {
  private let folder: String
  private let pattern: String
  private let destination: String

  /// - Parameters:
  ///   - folder: The folder, which is searched with the folders in it.
  ///   - pattern: The names of stores, with `*` and `?`.
  ///   - destination: The folder for the stores to make, which get the same names.
  package init(_ folder: String, _ pattern: String, into destination: String) {
    self.folder = FilePath.absolute(folder)
    self.pattern = pattern
    self.destination = FilePath.absolute(destination)
  }

  /// Writes the manifest; a store's id is its path in the folder.
  ///
  /// - Throws: ``FleetError``.
  package func write(to path: String) throws(FleetError) {
    let names: [String]
    do {
      names = try FileManager.default.subpathsOfDirectory(atPath: folder)
    } catch {
      throw .unreadable(path: folder, reason: "there is no such folder, or it cannot be read")
    }
    var text = ""
    for name in names.sorted() where matches(name) {
      let members = [
        ("id", name), ("source", "\(folder)/\(name)"), ("destination", "\(destination)/\(name)"),
      ]
      text += "{\(members.map { "\"\($0)\":\(JSONText.quoted($1))" }.joined(separator: ","))}\n"
    }
    guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
      throw .cannotWrite(path: path, reason: "its folder is missing, or it may not be written")
    }
  }

  /// Whether a name matches; what our own state directories hold is no store of the fleet.
  private func matches(_ path: String) -> Bool {
    guard !path.contains(".bulkmigrate/"), !"\(folder)/\(path)".hasPrefix(destination + "/") else {
      return false
    }
    // The call reads both texts and keeps neither.
    return unsafe fnmatch(pattern, path.split(separator: "/").last.map(String.init) ?? path, 0) == 0
  }
}
