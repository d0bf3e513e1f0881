internal import BulkCoding
internal import BulkPlatform
internal import Foundation

/// The room on the disk of a file or folder.
struct DiskSpace {
  private let path: String
  /// With less than this more room there is no use in going on.
  private static let step = ByteCount.kibibytes(64)
  private static let pause = 0.5

  init(_ path: String) { self.path = path }

  /// The bytes that are free for this user; `nil` where the system does not tell them.
  var free: ByteCount? {
    var status = statvfs()
    let folder = (path as NSString).deletingLastPathComponent
    // The calls fill the status and keep neither it nor a path.
    guard unsafe statvfs(path, &status) == 0 || statvfs(folder, &status) == 0 else { return nil }
    return ByteCount(bytes: Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize)))
  }

  /// Refuses to begin where there is much less room than a destination takes.
  ///
  /// Sizes are estimates; one that is wrong by a factor of two still begins.
  func refuse(lessThan size: ByteCount) throws(MigrationError) {
    guard let free, free.bytes < size.bytes / 2 else { return }
    throw .tooLittleDisk(path: path, free: free, needed: size)
  }

  /// Waits until there is more room than there is now.
  ///
  /// - Parameter migration: Is told that it waits, and asked whether to stop.
  /// - Throws: ``MigrationError/cancelled``.
  func waitForRoom(telling migration: Migration) throws {
    let before = free ?? .zero
    while let free, free < before + Self.step {
      migration.report(migration.progress(.waitingForRoom, rows: 0))
      try migration.endWaitIfAsked()
      Thread.sleep(forTimeInterval: Self.pause)
    }
  }
}
