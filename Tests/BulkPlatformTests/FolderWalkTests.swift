import BulkTestSupport
import Testing

struct FolderWalkTests {
  @Test func `a link to nothing or to itself is not a file`() throws {
    let directory = TemporaryDirectory()
    for (name, target) in [("gone", "nowhere"), ("circle", "circle")] {
      try FileManager.default.createSymbolicLink(
        atPath: directory.path(name),
        withDestinationPath: target
      )
    }
    try "text".write(toFile: directory.path("file"), atomically: false, encoding: .utf8)
    let found = try FolderWalk.files(in: directory.url.path, bounds: nil)
    #expect(found.count == 1)
    #expect(found.first == directory.path("file"))
  }

  /// Paths of 4,096 bytes and more are too long for Linux, of 1,024 for macOS.
  @Test func `a file that the system cannot look at is an error, not nothing`() throws {
    let directory = TemporaryDirectory()
    let name = String(repeating: "n", count: 250)
    var folder = open(directory.url.path, O_RDONLY | O_DIRECTORY)
    for _ in 0..<18 {
      try #require(folder >= 0 && mkdirat(folder, name, 0o700) == 0)
      let next = openat(folder, name, O_RDONLY | O_DIRECTORY)
      close(folder)
      folder = next
    }
    defer {
      for _ in 0..<18 {
        let outer = openat(folder, "..", O_RDONLY | O_DIRECTORY)
        close(folder)
        _ = unlinkat(outer, name, AT_REMOVEDIR)
        folder = outer
      }
      close(folder)
    }
    let error = #expect(throws: FolderWalk.Fault.self) {
      try FolderWalk.files(in: directory.url.path, bounds: nil)
    }
    guard case .system(_, ENAMETOOLONG) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
