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

  /// Writes the marker and syncs it with its name.
  func write(to folder: DurableDirectory) throws(FileError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else {
      throw FileError(code: EINVAL, path: folder.path)
    }
    folder.remove(Self.name)
    Failpoint.reached(.unmarked)
    try write(data + Data("\n".utf8), to: folder)
    try folder.synchronize()
  }

  /// Writes the marker; a process that enters the folder in the meantime may leave an empty one
  /// while there is none.
  private func write(_ data: Data, to folder: DurableDirectory) throws(FileError) {
    while true {
      do throws(FileError) {
        return try folder.write(data, to: Self.name)
      } catch {
        guard error.code == EEXIST else { throw error }
      }
    }
  }
}
