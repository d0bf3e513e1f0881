extension StateDirectory {
  /// The name of the folder with what was left out.
  static var rejectFolder: String { RejectSummary.folderName }

  /// The names of the folders with what was left out, before and after a replay with corrected values.
  static var rejectFolders: [String] { [RejectSummary.folderName, RejectSummary.replayedName] }

  /// Makes the folder of rejected objects, which stays when the migration is done.
  ///
  /// - Parameter write: Writes its files, the summary among them, which marks it as ours.
  /// - Returns: Its path.
  /// - Throws: ``FileError``, and any error of `write`.
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

  /// Removes the reject files, and the files of their replays.
  static func removeRejects(from folder: DurableDirectory) {
    for name in rejectFolders { RejectFolder.remove(name, from: folder) }
    removeReplay(from: folder)
  }

  /// Removes the folder in which a replay has worked, if one has.
  static func removeReplay(from folder: DurableDirectory) {
    let replay = try? folder.folder(RejectSummary.replayName)
    if let replay, StateMarker(of: replay) != nil { folder.removeTree(RejectSummary.replayName) }
  }

  /// Refuses a folder under the name of the reject files that is not ours.
  func refuseForeignRejects() throws(MigrationError) {
    let name = RejectSummary.folderName
    if folder.directory.contains(name) { throw .foreignFile("\(path)/\(name)") }
  }
}
