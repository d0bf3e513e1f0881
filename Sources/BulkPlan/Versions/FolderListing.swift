internal import BulkPlatform

/// What lies in a folder, by name in code-unit order, without what is hidden.
struct FolderListing {
  /// What a name stands for.
  enum Kind {
    case folder
    case file
    /// A symbolic link, or something that is neither file nor folder.
    case other
  }

  /// A name and what it stands for.
  struct Entry {
    let name: String
    let kind: Kind
  }

  let entries: [Entry]

  /// Reads a folder; `nil` if it cannot be read.
  init?(_ path: String) {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var entries: [Entry] = []
    while let found = readdir(folder) {
      let name = withUnsafeBytes(of: &found.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard !name.hasPrefix(".") else { continue }
      entries.append(Entry(name: name, kind: Self.kind(found.pointee.d_type, path + "/" + name)))
    }
    self.entries = entries.sorted { $0.name.utf16.lexicographicallyPrecedes($1.name.utf16) }
  }

  /// Some file systems leave the kind open; then the file itself is asked.
  private static func kind(_ type: UInt8, _ path: String) -> Kind {
    switch Int(type) {
    case Int(DT_DIR): return .folder
    case Int(DT_REG): return .file
    case Int(DT_UNKNOWN):
      var status = stat()
      guard lstat(path, &status) == 0 else { return .other }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: return .folder
      case S_IFREG: return .file
      default: return .other
      }
    default: return .other
    }
  }
}
