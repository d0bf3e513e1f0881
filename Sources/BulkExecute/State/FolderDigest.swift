internal import BulkSupport
internal import BulkModel

/// A digest of a folder's names, sizes and modification times, but not contents.
///
/// Like the moment of a finished store, it shows whether the copied external values have changed
/// since.
struct FolderDigest {
  private var hash = SHA256()

  /// The digest of a folder in hexadecimal; `nil` if it cannot be read.
  static func digest(of path: String) -> String? {
    var result = FolderDigest()
    guard let folder = try? DurableDirectory(path), (try? result.add(folder, "")) != nil else {
      return nil
    }
    return VersionHash.hexadecimal(result.hash.finalize())
  }

  private mutating func add(_ folder: DurableDirectory, _ prefix: String) throws(FileError) {
    for name in try folder.entries().sorted() {
      let path = prefix + name
      guard let status = folder.status(of: name) else { continue }
      if status.kind == S_IFDIR {
        try add(try folder.folder(name), path + "/")
      } else {
        let (time, size) = (status.modified, status.st_size)
        hash.update(Array("\(path)\t\(size)\t\(time.tv_sec).\(time.tv_nsec)\n".utf8))
      }
    }
  }
}
