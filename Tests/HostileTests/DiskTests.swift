#if os(Linux)
import BulkTestSupport
import Testing

/// A small file system of a test's own, which is gone with it.
///
/// Only root may mount one; elsewhere the tests that need it are skipped.
final class SmallDisk {
  let path: String
  static let canMount =
    geteuid() == 0 && FileManager.default.fileExists(atPath: "/proc/filesystems")

  /// Makes one with space for some bytes.
  init(in folder: TemporaryDirectory, bytes: Int) throws {
    path = try folder.folder("disk")
    try #require(mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0)
  }

  /// Makes one with space for some files.
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

  init() throws { store = try SmallStore() }

  private func fault(_ disk: SmallDisk) -> String {
    failure { try store.migrate(to: disk.path + "/destination.sqlite") }
  }

  private func names(_ disk: SmallDisk) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted()
  }

  /// The destination takes about 24 KiB.
  @Test(arguments: [4_096, 8_192])
  func `a disk that is much too small is told before anything is made`(bytes: Int) throws {
    let disk = try SmallDisk(in: store.folder, bytes: bytes)
    let text = fault(disk)
    #expect(text.contains(", but \(disk.path) has only "), "\(text)")
    #expect(try names(disk) == [])
  }

  /// The store takes about 24 KiB, and the file with a value 1 MiB.
  @Test(arguments: [1 << 19, 1 << 20, 1 << 20 + 1 << 17])
  func `files with external values count for the space that is needed`(bytes: Int) throws {
    let folder = try store.folder.folder(".source_SUPPORT/_EXTERNAL_DATA")
    try Data(count: 1 << 20).write(to: URL(fileURLWithPath: "\(folder)/value"))
    let disk = try SmallDisk(in: store.folder, bytes: bytes)
    guard bytes < 1 << 20 + 1 << 16 else {
      try store.migrate(to: disk.path + "/destination.sqlite")
      #expect(try names(disk) == [".destination_SUPPORT", "destination.sqlite"])
      return
    }
    let text = fault(disk)
    #expect(text.hasPrefix("the destination takes about 1 MiB, but"), "\(text)")
    #expect(try names(disk) == [])
  }

  /// Sizes at which the rows and the indexes are cut off.
  @Test(arguments: [16_384, 28_672, 40_960, 53_248])
  func `a full disk is told, and nothing stays on it`(bytes: Int) throws {
    let disk = try SmallDisk(in: store.folder, bytes: bytes)
    let text = fault(disk)
    #expect(text.hasPrefix("the disk is full while writing \(disk.path)"), "\(text)")
    #expect(try names(disk) == [])
  }

  /// SQLite needs a log beside a store in WAL mode, and says only that it cannot open the store; a file of shared memory is
  /// not needed.
  @Test(arguments: [1, 2])
  func `a disk without space for a log beside a store is told as full`(files: Int) throws {
    let disk = try SmallDisk(in: store.folder, files: files)
    let path = disk.path + "/store.sqlite"
    try Files.write(store.bytes, to: path)
    if files == 1 {
      let error = try #require(throws: StoreError.self) { _ = try ExclusiveAccess(path) }
      #expect(error.cause == .diskFull, "\(error)")
    } else {
      try ExclusiveAccess(path).end()
    }
    #expect(try names(disk) == ["store.sqlite"])
  }

  @Test func `a folder that cannot be written to is told`() throws {
    let disk = try SmallDisk(in: store.folder, bytes: 1 << 20)
    try disk.makeReadOnly()
    let text = fault(disk)
    #expect(
      text.hasPrefix("\(disk.path)/destination.sqlite.bulkmigrate cannot be made: "),
      "\(text)"
    )
  }
}
#endif
