extension StateDirectory {
  static var rejectFolder: String { RejectSummary.folderName }
  static var rejectFolders: [String] { [RejectSummary.folderName, RejectSummary.replayedName] }

  /// Makes the folder of rejected objects, which stays when the migration is done; returns its path.
  ///
  /// The summary among its files marks it as ours.
  func makeRejectFolder(_ write: (DurableDirectory) throws -> Void) throws -> String {
    let (name, draft) = (RejectSummary.folderName, "rejects-\(attempt)")
    try folder.syncMark()
    folder.directory.removeTree(draft)
    let made = try folder.directory.makeFolder(draft)
    try write(made)
    try made.synchronize()
    RejectFolder.remove(name, from: folder.directory)
    try folder.directory.replace(name, with: draft)
    try folder.directory.synchronize()
    return "\(path)/\(name)"
  }

  static func removeRejects(from folder: DurableDirectory) {
    for name in rejectFolders { RejectFolder.remove(name, from: folder) }
    removeReplay(from: folder)
  }

  static func removeReplay(from folder: DurableDirectory) {
    let replay = try? folder.folder(RejectSummary.replayName)
    if let replay, StateMarker(of: replay) != nil { folder.removeTree(RejectSummary.replayName) }
  }

  func refuseForeignRejects() throws(MigrationError) {
    let name = RejectSummary.folderName
    if folder.directory.contains(name) { throw .foreignFile("\(path)/\(name)") }
  }
}
