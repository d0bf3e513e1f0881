import BulkTestSupport
import Testing

struct ExclusiveRenameTests {
  @Test func `a file gets the name, or what has it stays`() throws {
    let directory = TemporaryDirectory()
    let (file, other, name) = (
      directory.path("file"), directory.path("other"), directory.path("name")
    )
    for path in [file, other] { try path.write(toFile: path, atomically: false, encoding: .utf8) }
    guard let code = ExclusiveRename.rename(file, to: name) else { return }
    #expect(code == 0)
    #expect(ExclusiveRename.rename(other, to: name) == EEXIST)
    #expect(try String(contentsOfFile: name, encoding: .utf8) == file)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == other)
    #expect(ExclusiveRename.rename(file, to: directory.path("again")) == ENOENT)
  }
}
