internal import BulkPlan
internal import BulkPlatform

/// The location of a migration's state directory: beside the destination, or where the user wants it.
///
/// A symbolic link beside the destination points to one elsewhere, so that `resume` and `status` find it.
package struct StateLocation: Hashable, Sendable {
  /// The end of the folder's name; the name of its destination comes before it.
  static let suffix = ".bulkmigrate"
  /// The name of the plan's copy in the folder.
  static let planName = "plan.json"

  /// The path of the folder.
  package let path: String
  /// Whether the user named the folder, so that others may be able to write to it.
  let isNamed: Bool
  /// Whether the folder is beside its destination, under the usual name.
  var isUsual: Bool { !isNamed && path.hasSuffix(Self.suffix) }
  private let pointer: String?

  /// The folder of a destination.
  package init(destination: String, stateDirectory: String?) {
    let usual = destination + Self.suffix
    let named = stateDirectory.map(Self.withoutSlash) ?? Self.target(of: usual)
    path = named ?? usual
    isNamed = named != nil
    pointer = path == usual ? nil : usual
  }

  /// A named folder, of any destination.
  package init(stateDirectory: String) {
    self.init(stateDirectory: stateDirectory, isNamed: true)
  }

  /// A folder of any destination.
  init(stateDirectory: String, isNamed: Bool) {
    path = Self.withoutSlash(stateDirectory)
    self.isNamed = isNamed
    pointer = nil
  }

  /// The target of a link that this user has made.
  private static func target(of link: String) -> String? {
    guard (try? DurableFiles.status(of: link))?.st_uid == geteuid() else { return nil }
    return try? FileManager.default.destinationOfSymbolicLink(atPath: link)
  }

  /// A path without trailing slashes; with one, a link would be followed.
  private static func withoutSlash(_ path: String) -> String {
    let bare = path.reversed().drop { $0 == "/" }
    return bare.isEmpty ? path : String(bare.reversed())
  }

  /// The plan that is carried out in the folder.
  package var planPath: String { "\(path)/\(Self.planName)" }

  /// The parent of the folder.
  var parent: String {
    URL(fileURLWithPath: path, isDirectory: false).deletingLastPathComponent().path
  }

  /// Whether an interrupted migration can be resumed.
  var hasCheckpoints: Bool { !checkpoints.isEmpty }

  /// The names of the checkpoints, sorted.
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

  /// The last checkpoint of an interrupted attempt at a plan, while another process may write the next.
  func newest(of plan: MigrationPlan) -> Checkpoint? {
    guard isOfThisUser, let folder = try? DurableDirectory(path) else { return nil }
    return CheckpointFiles(in: folder).all(of: plan.fingerprint).first
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

  /// Makes a link beside the destination, where possible.
  func makePointer() {
    guard let pointer else { return }
    let absolute = URL(fileURLWithPath: path, isDirectory: false).path
    _ = unsafe symlink(absolute, pointer)
  }

  /// Removes the link beside the destination once the folder is gone.
  func removePointerToNothing() {
    if !DurableFiles.exists(path) { removePointer() }
  }

  /// Removes the link, if there is one and it is not needed.
  func removePointer(if isUnneeded: () -> Bool = { true }) {
    guard let pointer, isUnneeded(),
      (try? FileManager.default.destinationOfSymbolicLink(atPath: pointer)) != nil
    else { return }
    unsafe unlink(pointer)
  }
}
