internal import BulkPlatform
internal import Foundation

/// What marks a folder as a state directory, and tells it from every other: a hidden file with an identity.
///
/// Whatever an attempt makes in the folder carries the identity in its name, so that nothing else is taken
/// for it.
struct StateMarker: Codable {
  static let name = ".bulkmigrate"
  private static let format = "state/1"

  private var bulkmigrate = format
  /// What is in the names of all that is made in the folder.
  private(set) var identity = UUID().uuidString

  /// The mark of a folder that has none yet.
  init() {}

  /// The mark of a folder; `nil` where it has none, or one that was never written.
  init?(of folder: DurableDirectory) {
    guard
      let data = folder.contents(of: Self.name),
      let found = try? JSONDecoder().decode(StateMarker.self, from: data),
      found.bulkmigrate == Self.format, UUID(uuidString: found.identity) != nil
    else { return nil }
    self = found
  }

  /// Writes the mark and waits until it is on the disk, name and all.
  func write(to folder: DurableDirectory) throws(FileError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else {
      throw FileError(code: EINVAL, path: folder.path)
    }
    folder.remove(Self.name)
    Failpoint.reached("unmarked")
    try write(data + Data("\n".utf8), to: folder)
    try folder.synchronize()
  }

  /// Writes the mark; whoever enters the folder meanwhile may leave an empty one, as long as there is none.
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
