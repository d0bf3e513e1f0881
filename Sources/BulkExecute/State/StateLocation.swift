internal import BulkPlan
internal import BulkSupport

/// The location of a migration's state directory: beside the destination, or where the user wants it.
///
/// A symbolic link beside the destination points to one elsewhere, so that `resume` and `status` find it.
package struct StateLocation: Hashable, Sendable {
  /// The end of the folder's name; the name of its destination comes before it.
  static let suffix = ".bulkmigrate"
  static let planName = "plan.json"
  package let path: String
  /// Whether the user named the folder, so that others may be able to write to it.
  let isNamed: Bool
  var isUsual: Bool { !isNamed && path.hasSuffix(Self.suffix) }
  private let pointer: String?

  package init(destination: String, stateDirectory: String?) {
    let usual = destination + Self.suffix
    let named = stateDirectory.map(Self.withoutSlash) ?? Self.target(of: usual)
    path = named ?? usual
    isNamed = named != nil
    pointer = path == usual ? nil : usual
  }

  package init(stateDirectory: String) {
    self.init(stateDirectory: stateDirectory, isNamed: true)
  }

  init(stateDirectory: String, isNamed: Bool) {
    path = Self.withoutSlash(stateDirectory)
    self.isNamed = isNamed
    pointer = nil
  }

  private static func target(of link: String) -> String? {
    guard (try? DurableFiles.status(of: link))?.st_uid == geteuid() else { return nil }
    return try? FileManager.default.destinationOfSymbolicLink(atPath: link)
  }

  /// A path without trailing slashes; with one, a link would be followed.
  private static func withoutSlash(_ path: String) -> String {
    let bare = path.reversed().drop { $0 == "/" }
    return bare.isEmpty ? path : String(bare.reversed())
  }

  package var planPath: String { "\(path)/\(Self.planName)" }

  var parent: String {
    URL(fileURLWithPath: path, isDirectory: false).deletingLastPathComponent().path
  }

  var hasCheckpoints: Bool { !checkpoints.isEmpty }

  /// Sorted.
  var checkpoints: [String] {
    let names = (try? DurableDirectory(path))?.names ?? []
    return names.filter { $0.hasPrefix(CheckpointFiles.prefix) }.sorted()
  }

  /// The last checkpoint of an interrupted attempt at any plan, or the receipt of a finished one.
  var newest: Checkpoint? {
    guard let folder = try? DurableDirectory(path) else { return nil }
    return (checkpoints + [Receipt.name]).compactMap {
      folder.contents(of: $0).flatMap(Checkpoint.init)
    }
    .max { $0.number < $1.number }
  }

  /// Whether there is a state directory that this user has made.
  package var isOfThisUser: Bool {
    guard let folder = try? DurableDirectory(path) else { return false }
    return folder.isOfThisUser && StateMarker(of: folder) != nil
  }

  /// Whether this user cannot read the folder.
  package var isClosed: Bool {
    guard let folder = try? DurableDirectory(path) else { return DurableFiles.exists(path) }
    return folder.contains(StateMarker.name) && folder.contents(of: StateMarker.name) == nil
  }

  /// Where possible.
  func makePointer() {
    guard let pointer else { return }
    _ = unsafe symlink(absolutePath, pointer)
  }

  private var absolutePath: String { URL(fileURLWithPath: path, isDirectory: false).path }

  func removePointerToNothing() {
    if !DurableFiles.exists(path) { removePointer() }
  }

  /// Removes the link to the folder, if there is one and it is not needed.
  func removePointer(if isUnneeded: () -> Bool = { true }) {
    guard let pointer, isUnneeded(),
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: pointer),
      target == path || target == absolutePath
    else { return }
    unsafe unlink(pointer)
  }
}
