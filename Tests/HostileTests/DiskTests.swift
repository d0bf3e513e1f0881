#if os(Linux)
import BulkCoding
import BulkExecute
import BulkPlan
import BulkSQLite
import BulkStore
import BulkTestSupport
import Foundation
import Testing

/// A small file system of a test's own, which is gone with it.
///
/// Only root may mount one; elsewhere the tests that need it are skipped.
final class SmallDisk {
  let path: String
  static let canMount =
    geteuid() == 0 && FileManager.default.fileExists(atPath: "/proc/filesystems")

  /// Makes one with room for some bytes.
  init(in folder: TemporaryDirectory, bytes: Int) throws {
    path = try folder.folder("disk")
    try #require(mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0)
  }

  /// Makes one with room for some files.
  init(in folder: TemporaryDirectory, files: Int) throws {
    path = try folder.folder("disk")
    // The folder itself counts.
    try #require(mount("tmpfs", path, "tmpfs", 0, "nr_inodes=\(files + 1)") == 0)
  }

  /// Lets nothing more be written.
  func makeReadOnly() throws {
    try #require(mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT) | UInt(MS_RDONLY), "") == 0)
  }

  deinit { umount2(path, Int32(MNT_DETACH)) }
}

@Suite(
  "Disks",
  .tags(.promise13),
  .enabled(if: SmallDisk.canMount, "only root may mount a small file system")
)
struct DiskTests {
  private let store: SmallStore
  private let source: String

  init() throws {
    store = try SmallStore()
    source = store.folder.path("source.sqlite")
    try Files.write(store.bytes, to: source)
  }

  private func run(to destination: String) throws -> MigrationError {
    let migration = Migration(
      inTestProcess: try Planner.plan(store.request(source, to: destination))
    )
    return try #require(throws: MigrationError.self) { _ = try migration.run() }
  }

  /// The destination takes about 24 KiB.
  @Test(arguments: [4_096, 8_192])
  func `a disk that is much too small is told before anything is made`(bytes: Int) throws {
    let disk = try SmallDisk(in: store.folder, bytes: bytes)
    guard case .tooLittleDisk(let path, _, _) = try run(to: disk.path + "/destination.sqlite")
    else {
      Issue.record("another error than that of a disk that is too small")
      return
    }
    #expect(path == disk.path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
  }

  /// The store takes about 24 KiB, and the file with a value 1 MiB.
  @Test(arguments: [1 << 19, 1 << 20, 1 << 20 + 1 << 17])
  func `files with external values count for the space that is needed`(bytes: Int) throws {
    let folder = try store.folder.folder(".source_SUPPORT/_EXTERNAL_DATA")
    try Data(count: 1 << 20).write(to: URL(fileURLWithPath: "\(folder)/value"))
    let disk = try SmallDisk(in: store.folder, bytes: bytes)
    let destination = disk.path + "/destination.sqlite"
    guard bytes < 1 << 20 + 1 << 16 else {
      let migration = Migration(
        inTestProcess: try Planner.plan(store.request(source, to: destination))
      )
      _ = try migration.run()
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted()
          == [".destination_SUPPORT", "destination.sqlite"]
      )
      return
    }
    guard case .tooLittleDisk(_, _, let needed) = try run(to: destination) else {
      Issue.record("another error than that of a disk that is too small")
      return
    }
    #expect(needed.bytes > 1 << 20)
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
  }

  /// Sizes at which the rows and the indexes are cut off.
  @Test(arguments: [16_384, 28_672, 40_960, 53_248])
  func `a full disk is told, and nothing stays on it`(bytes: Int) throws {
    let disk = try SmallDisk(in: store.folder, bytes: bytes)
    guard case .diskFull(let path) = try run(to: disk.path + "/destination.sqlite") else {
      Issue.record("another error than that of a full disk")
      return
    }
    #expect(path.hasPrefix(disk.path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
  }

  @Test(arguments: [28_672, 40_960, 53_248])
  func `a run that waits for room goes on when there is some`(bytes: Int) throws {
    let undisturbed = store.folder.path("undisturbed.sqlite")
    _ = try Migration(inTestProcess: Planner.plan(store.request(source, to: undisturbed))).run()
    let disk = try SmallDisk(in: store.folder, bytes: 1 << 20)
    // The rest of the disk is taken until somebody waits for it.
    let ballast = disk.path + "/ballast"
    try Data(count: 1 << 20 - bytes).write(to: URL(fileURLWithPath: ballast))
    let destination = disk.path + "/destination.sqlite"
    var migration = Migration(
      inTestProcess: try Planner.plan(store.request(source, to: destination))
    )
    migration.minimumRowsForCheckpoints = 0
    migration.onDiskFull = .wait
    var waits = 0
    migration.report = { progress in
      guard progress.stage == .waitingForRoom else { return }
      waits += 1
      try? FileManager.default.removeItem(atPath: ballast)
    }
    _ = try migration.run()
    #expect(waits > 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["destination.sqlite"]
    )
    #expect(
      FileManager.default.contents(atPath: destination)
        == FileManager.default.contents(atPath: undisturbed)
    )
  }

  /// SQLite needs a log beside a store in WAL mode, and says only that it cannot open the store.
  @Test func `a disk without room for a file beside a store is told as full`() throws {
    let disk = try SmallDisk(in: store.folder, files: 1)
    let path = disk.path + "/store.sqlite"
    try Files.write(store.bytes, to: path)
    let error = try #require(throws: StoreError.self) { _ = try ExclusiveAccess(path) }
    #expect(error.cause == .diskFull, "\(error)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["store.sqlite"])
  }

  /// One of the files is the log.
  @Test func `a store is taken hold of without a file of shared memory`() throws {
    let disk = try SmallDisk(in: store.folder, files: 2)
    let path = disk.path + "/store.sqlite"
    try Files.write(store.bytes, to: path)
    try ExclusiveAccess(path).end()
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["store.sqlite"])
  }

  @Test func `a folder that cannot be written to is told`() throws {
    let disk = try SmallDisk(in: store.folder, bytes: 1 << 20)
    try disk.makeReadOnly()
    guard case .cannotCreate(let path, _) = try run(to: disk.path + "/destination.sqlite") else {
      Issue.record("another error than that of a file that cannot be made")
      return
    }
    #expect(path == disk.path + "/destination.sqlite.bulkmigrate")
  }
}
#endif
