import BulkTestSupport
import Foundation
import Testing

@testable import BulkExecute

@Suite("Copies of folders")
struct FolderCopyTests {
  /// Folders of tests lie in memory or on a disk; the source is on the other one, whose files get no second names there.
  @Test(
    "Without second names a file appears when it is whole, and what a killed copy left goes",
    .enabled(if: access("/dev/shm", W_OK) == 0, "there is no other file system to write to")
  )
  func drafts() throws {
    let directory = try TemporaryDirectory()
    let isInMemory = directory.url.path.hasPrefix("/dev/shm/")
    let other = isInMemory ? FileManager.default.temporaryDirectory.path : "/dev/shm"
    let source = "\(other)/bulkmigrate-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: source) }
    for folder in [source, "\(source)/sub", directory.path("target")] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    for (path, text) in [
      ("\(source)/one", "first"), ("\(source)/sub/two", "second"),
      (directory.path("target/one"), "own"), (directory.path("target/.bulkmigrate-copy-0"), "fir"),
    ] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    try FolderCopy(linksFiles: true).complete(directory.path("target"), from: source)

    let names = try FileManager.default.subpathsOfDirectory(atPath: directory.path("target"))
    #expect(names.sorted() == ["one", "sub", "sub/two"])
    #expect(try String(contentsOfFile: directory.path("target/one"), encoding: .utf8) == "own")
    let copied = try String(contentsOfFile: directory.path("target/sub/two"), encoding: .utf8)
    #expect(copied == "second")
  }
}
