internal import BulkPlan
internal import BulkPlatform
internal import BulkStore
internal import Foundation

/// Where the state directory of a migration lies: beside the destination, or where the user wants it.
///
/// One that lies elsewhere is pointed to by a symbolic link beside the destination, so that `resume` and
/// `status` find it without being told.
public struct StateLocation: Hashable, Sendable {
  /// The name of the plan's copy in the folder.
  static let planName = "plan.json"

  /// The folder.
  public let path: String
  /// Whether the user has named the folder, so that it may be one into which others write.
  let isNamed: Bool
  private let pointer: String?

  /// The folder of a destination.
  public init(destination: String, stateDirectory: String?) {
    let usual = destination + ".bulkmigrate"
    let named = stateDirectory.map(Self.withoutSlash) ?? Self.target(of: usual)
    path = named ?? usual
    isNamed = named != nil
    pointer = path == usual ? nil : usual
  }

  /// A folder that was named, of whatever destination.
  public init(stateDirectory: String) {
    self.init(stateDirectory: stateDirectory, isNamed: true)
  }

  /// A folder of whatever destination.
  init(stateDirectory: String, isNamed: Bool) {
    path = Self.withoutSlash(stateDirectory)
    self.isNamed = isNamed
    pointer = nil
  }

  /// Where a link leads that this user has made.
  private static func target(of link: String) -> String? {
    var status = stat()
    // The calls fill a status and keep neither it nor a path.
    guard unsafe lstat(link, &status) == 0, status.st_uid == geteuid() else { return nil }
    return try? FileManager.default.destinationOfSymbolicLink(atPath: link)
  }

  /// A path as it is opened: behind a slash a link would be followed.
  private static func withoutSlash(_ path: String) -> String {
    let bare = path.reversed().drop { $0 == "/" }
    return bare.isEmpty ? path : String(bare.reversed())
  }

  /// The plan that is carried out in the folder.
  public var planPath: String { "\(path)/\(Self.planName)" }

  /// The folder in which the folder lies.
  var parent: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  /// Whether an interrupted migration can be gone on with.
  var hasCheckpoints: Bool { !checkpoints.isEmpty }

  /// The names of the checkpoints, sorted.
  var checkpoints: [String] {
    let names = (try? DurableDirectory(path))?.names ?? []
    return names.filter { $0.hasPrefix(CheckpointFiles.prefix) }.sorted()
  }

  /// How far an interrupted attempt at a plan has read its source.
  func sourceReading(for plan: MigrationPlan) -> StoreReading? {
    guard isOfThisUser, let folder = try? DurableDirectory(path) else { return nil }
    return CheckpointFiles(in: folder).all(of: plan.fingerprint).first?.sourceReading
  }

  /// Whether there is a state directory that this user has made.
  public var isOfThisUser: Bool {
    guard let folder = try? DurableDirectory(path) else { return false }
    return folder.isOfThisUser && StateMarker(of: folder) != nil
  }

  /// Leaves a link beside the destination, where one can be made.
  func point() {
    guard let pointer else { return }
    let absolute = URL(fileURLWithPath: path).path
    _ = unsafe symlink(absolute, pointer)
  }

  /// Removes the link, if it is one.
  func removePointer() {
    guard let pointer, (try? FileManager.default.destinationOfSymbolicLink(atPath: pointer)) != nil
    else { return }
    unsafe unlink(pointer)
  }
}
