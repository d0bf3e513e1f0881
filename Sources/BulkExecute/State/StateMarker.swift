internal import BulkSupport

/// Marks a folder as a state directory: a hidden file with an identity.
///
/// The name of everything that an attempt makes in the folder carries the identity, so that nothing else is
/// mistaken for it.
struct StateMarker: Codable {
  static let name = ".bulkmigrate"
  private static let format = "state/1"

  private var bulkmigrate = format
  /// Part of the name of every file that is made in the folder.
  private(set) var identity = SystemHost.current.identifier()
  /// Whether the folder was there before, so that it stays.
  private var isGiven: Bool?

  /// For a folder that has no marker yet; `isGiven` if somebody else gave it to us empty.
  init(isGiven: Bool = false) { self.isGiven = isGiven ? true : nil }

  /// Whether the folder was made for us, so that it goes with its last file.
  var isOfMadeFolder: Bool { isGiven != true }

  /// The marker of a folder; `nil` if it has none, or an incomplete one, and nothing shows whose it is.
  ///
  /// A power cut may take that of a short migration; what else is there shows the identity, too.
  init?(of folder: DurableDirectory) {
    if let whole = Self.whole(in: folder) {
      self = whole
    } else {
      guard Self.isTorn(in: folder), let identity = FolderIdentity.shown(in: folder) else {
        return nil
      }
      self.identity = identity
    }
  }

  /// `nil` if the folder has none, or an incomplete one.
  static func whole(in folder: DurableDirectory) -> StateMarker? {
    guard
      let data = folder.contents(of: name),
      let found = try? JSONDecoder().decode(StateMarker.self, from: data),
      found.bulkmigrate == format, UUID(uuidString: found.identity) != nil
    else { return nil }
    return found
  }

  /// Whether nothing in a folder has the marker's name, or a file that a power cut has left without its bytes.
  private static func isTorn(in folder: DurableDirectory) -> Bool {
    guard folder.contains(name) else { return true }
    return folder.contents(of: name)?.allSatisfy { $0 == 0 } == true
  }

  static func isWhole(in folder: DurableDirectory) -> Bool { whole(in: folder) != nil }

  /// Marks a folder, unless it has a marker.
  ///
  /// The marker is complete as soon as it has its name, and of those that two processes write one stays.
  /// Without a sync a power cut may take it. Throws `ENOENT` if the folder is gone.
  func write(to folder: DurableDirectory, isSynced: Bool = true) throws(FileError) {
    guard let line = try? StableJSON.line(self) else {
      throw FileError(code: EINVAL, path: folder.path)
    }
    let draft = "\(Self.name)-\(SystemHost.current.identifier())"
    try folder.write(Data("\(line)\n".utf8), to: draft, isSynced: isSynced)
    defer { folder.remove(draft) }
    Failpoint.reached(.unmarked)
    do throws(FileError) {
      try folder.link(draft, as: Self.name)
    } catch {
      guard error.code == EEXIST else { throw error }
      if !Self.isWhole(in: folder) {
        // It is what is left of one.
        folder.remove(Self.name)
        try folder.link(draft, as: Self.name)
      }
    }
    if isSynced { try folder.synchronize() }
  }

  static func synchronize(in folder: DurableDirectory) throws(FileError) {
    try folder.synchronize(file: name)
    try folder.synchronize()
  }

  /// Whether nothing in a folder has the marker's name, or a marker has it, or what a power cut has left of one.
  static func isPlausible(in folder: DurableDirectory) -> Bool {
    isTorn(in: folder) || isWhole(in: folder)
  }

  /// Whether a name is that of a marker, or of one that was not finished.
  static func isName(_ name: String) -> Bool { name == Self.name || isDraft(name) }

  private static func isDraft(_ name: String) -> Bool {
    name.hasPrefix("\(Self.name)-")
      && UUID(uuidString: String(name.dropFirst(Self.name.count + 1))) != nil
  }

  /// Removes the marker of a folder, unless something holds; it is gone while that is asked.
  static func remove(from folder: DurableDirectory, unless isKept: () -> Bool) -> Bool {
    let draft = "\(name)-\(SystemHost.current.identifier())"
    guard (try? folder.rename(name, to: draft)) != nil else { return true }
    defer { folder.remove(draft) }
    guard isKept() else { return true }
    _ = try? folder.link(draft, as: name)
    return false
  }

  static func removeDrafts(from folder: DurableDirectory) {
    for name in folder.names where isDraft(name) { folder.remove(name) }
  }
}
