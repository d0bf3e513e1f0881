import BulkTestSupport
import Testing

@testable import BulkExecute

struct FolderCopyTests {
  /// Folders of tests lie in memory or on a disk; the source is on the other one, whose files get no second names there.
  @Test(
    "Without second names a file appears when it is whole, and what a killed copy left goes",
    .enabled(if: access("/dev/shm", W_OK) == 0, "there is no other file system to write to")
  )
  func drafts() throws {
    let directory = TemporaryDirectory()
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

  /// A folder can be opened, and not be read.
  @Test func `what cannot be read is not taken for the same`() throws {
    let directory = TemporaryDirectory()
    #expect(!DurableFiles.haveSameContents(directory.path, directory.path))
    for name in ["one", "other"] { try Files.write([1, 2], to: directory.path(name)) }
    #expect(DurableFiles.haveSameContents(directory.path("one"), directory.path("other")))
  }

  /// The size of a folder depends on its file system and on the names that it once held.
  @Test func `a copy is whole by its files, whatever the sizes of its folders are`() throws {
    let directory = TemporaryDirectory()
    let manager = FileManager.default
    for folder in ["made/sub", "name/sub"] {
      try manager.createDirectory(
        atPath: directory.path(folder),
        withIntermediateDirectories: true
      )
      try Data("value".utf8).write(to: URL(fileURLWithPath: directory.path("\(folder)/one")))
    }
    for number in 0..<1_000 {
      let name = directory.path("name/sub/\(number) \(String(repeating: "n", count: 200))")
      try Data().write(to: URL(fileURLWithPath: name))
    }
    let (made, copy) = (directory.path("made"), directory.path("name"))
    #expect(FolderCopy.isWhole(copy, of: made))
    try Data("valu".utf8).write(to: URL(fileURLWithPath: directory.path("name/sub/one")))
    #expect(!FolderCopy.isWhole(copy, of: made))
    try manager.removeItem(atPath: directory.path("name/sub/one"))
    #expect(!FolderCopy.isWhole(copy, of: made))
  }
}
