internal import BulkCoding
internal import BulkPlatform

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

  /// The marker of a folder that has none yet.
  ///
  /// - Parameter isGiven: Whether the folder is somebody else's, who gave it to us empty.
  init(isGiven: Bool = false) { self.isGiven = isGiven ? true : nil }

  /// Whether the folder was made for us, so that it goes with its last file.
  var isOfMadeFolder: Bool { isGiven != true }

  /// The marker of a folder; `nil` if it has none, or an incomplete one.
  init?(of folder: DurableDirectory) {
    guard
      let data = folder.contents(of: Self.name),
      let found = try? JSONDecoder().decode(StateMarker.self, from: data),
      found.bulkmigrate == Self.format, UUID(uuidString: found.identity) != nil
    else { return nil }
    self = found
  }

  /// Marks a folder, unless it has a marker, and syncs it with its name.
  ///
  /// The marker is complete as soon as it has its name, and of those that two processes write one stays.
  ///
  /// - Throws: ``FileError``, with `ENOENT` if the folder is gone.
  func write(to folder: DurableDirectory) throws(FileError) {
    guard let line = try? StableJSON.line(self) else {
      throw FileError(code: EINVAL, path: folder.path)
    }
    let draft = "\(Self.name)-\(identity)"
    try folder.write(Data("\(line)\n".utf8), to: draft)
    defer { folder.remove(draft) }
    Failpoint.reached(.unmarked)
    do throws(FileError) {
      try folder.link(draft, as: Self.name)
    } catch {
      guard error.code == EEXIST else { throw error }
      if StateMarker(of: folder) == nil {
        // It is what is left of one.
        folder.remove(Self.name)
        try folder.link(draft, as: Self.name)
      }
    }
    try folder.synchronize()
  }

  /// Whether nothing in a folder has the marker's name, or a marker or an empty file has it.
  static func isPlausible(in folder: DurableDirectory) -> Bool {
    guard folder.contains(name) else { return true }
    return folder.contents(of: name)?.isEmpty == true || StateMarker(of: folder) != nil
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
    try? folder.link(draft, as: name)
    return false
  }

  /// Removes markers that were not finished.
  static func removeDrafts(from folder: DurableDirectory) {
    for name in folder.names where isDraft(name) { folder.remove(name) }
  }
}
