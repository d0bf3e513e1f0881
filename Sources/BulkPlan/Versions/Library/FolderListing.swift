internal import BulkSupport

/// The entries of a folder by name in code-unit order, without hidden ones.
struct FolderListing {
  enum Kind {
    case folder
    case file
    /// A symbolic link, or something that is neither file nor folder.
    case other
  }

  struct Entry {
    let name: String
    let kind: Kind
  }

  let entries: [Entry]

  /// Reads a folder; `nil` if it cannot be read.
  init?(_ path: String) {
    // This function opens and closes the stream, and copies each entry before it reads the next one.
    guard let folder = unsafe opendir(path) else { return nil }
    defer { unsafe closedir(folder) }
    var entries: [Entry] = []
    while let found = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: &found.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard !name.hasPrefix(".") else { continue }
      unsafe entries.append(
        Entry(name: name, kind: Self.kind(found.pointee.d_type, path + "/" + name))
      )
    }
    self.entries = entries.sorted { $0.name.utf16.lexicographicallyPrecedes($1.name.utf16) }
  }

  /// Some file systems do not report the type; then `stat` does.
  private static func kind(_ type: UInt8, _ path: String) -> Kind {
    switch Int(type) {
    case Int(DT_DIR): return .folder
    case Int(DT_REG): return .file
    case Int(DT_UNKNOWN):
      var status = stat()
      guard unsafe lstat(path, &status) == 0 else { return .other }
      switch status.kind {
      case S_IFDIR: return .folder
      case S_IFREG: return .file
      default: return .other
      }
    default: return .other
    }
  }
}

package enum FilePath {
  /// The extension of a file's name, in lowercase; empty without one.
  package static func suffix(of path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    return name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
  }

  /// A path from the root, without `.` and `..`; no file is looked at.
  package static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path, isDirectory: false).standardizedFileURL.path
  }

  /// The path of a file from a folder; both may be relative to the current folder.
  package static func relative(from folder: String, to path: String) -> String {
    let from = URL(fileURLWithPath: folder).standardizedFileURL.pathComponents
    let to = URL(fileURLWithPath: path).standardizedFileURL.pathComponents
    let common = zip(from, to).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: from.count - common)
    return (up + to.dropFirst(common)).joined(separator: "/")
  }
}
