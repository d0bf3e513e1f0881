internal import BulkSupport

/// The permissions to read and write a file.
struct FilePermissions {
  private let mode: mode_t
  private let owner: uid_t
  private let group: gid_t

  /// Of a file, or of the target of a link.
  init(of path: String) throws(FileError) {
    var status = stat()
    // The calls read a path and fill a status, and keep neither.
    guard unsafe stat(path, &status) == 0 else { throw .last(path) }
    self.init(status)
  }

  init(_ status: stat) {
    mode = status.st_mode & 0o777
    owner = status.st_uid
    group = status.st_gid
  }

  /// The mode of a copy; its owner may always write to it.
  var ofCopy: mode_t { mode | 0o200 }

  var ofFolderCopy: mode_t { mode | 0o700 }

  /// Lets those use another file who may use this one, and nobody else but its owner.
  ///
  /// If the other, which is not a link, cannot get the group of this one, its group gets no rights. With
  /// `givesOwner` it gets the owner of this one too, where that is allowed.
  func grant(to path: String, givesOwner: Bool = false) throws(FileError) {
    let file = try OpenFile(path, O_RDONLY | O_NOFOLLOW)
    if givesOwner { _ = fchown(file.descriptor, owner, group) }
    try grant(to: file)
  }

  func grant(to file: OpenFile) throws(FileError) {
    let former = try file.status().st_gid
    let isOfGroup = former == group || fchown(file.descriptor, uid_t.max, group) == 0
    // A file system without modes reports EPERM.
    let mode = isOfGroup ? ofCopy : withoutGroup
    guard fchmod(file.descriptor, mode) == 0 || errno == EPERM else { throw .last(file.path) }
  }

  /// The mode for a file of another group, where members of both groups count as others.
  private var withoutGroup: mode_t { (mode & 0o700) | (mode & 0o007 & (mode >> 3)) | 0o200 }
}
