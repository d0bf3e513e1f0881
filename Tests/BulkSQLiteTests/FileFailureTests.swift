import BulkTestSupport
import Testing

@testable import BulkSQLite

struct FileFailureTests {
  private let directory = TemporaryDirectory()
  private let path: String

  init() throws {
    path = directory.path("store.sqlite")
    try Connection(path: path, access: .readWrite).execute("CREATE TABLE t (a)")
  }

  /// The file, where reading fails as it is open for writing only.
  private func unreadable() throws -> PlainFile {
    let file = try PlainFile.existing(path)
    let other = open("/dev/null", O_WRONLY)
    defer { close(other) }
    try #require(dup2(other, file.descriptor) == file.descriptor)
    return file
  }

  @Test func `a failed read is a failure of reading, with the system's reason`() throws {
    let expected = SQLiteError(
      code: 10,
      message: "it cannot be read",
      path: path,
      systemError: EBADF
    )
    #expect(expected.text == "it cannot be read: Bad file descriptor")
    let file = try unreadable()
    #expect(throws: expected) { try file.read(16, at: 0) }
    #expect(throws: expected) { try DigestSteps(of: file, after: nil).next() }
  }

  @Test func `changes do not show where a time is centuries ahead`() throws {
    var times = [timespec(), timespec()]
    for index in times.indices { times[index].tv_sec = 15_000_000_000 }
    try #require(utimensat(AT_FDCWD, path, times, 0) == 0)
    #expect(try !PlainFile.existing(path).waitUntilChangesShow())
  }

  @Test func `a reason that an earlier call left is not that of a failure`() throws {
    let connection = try Connection(path: path, access: .readWrite)
    _ = try connection.value("SELECT count(*) FROM t")
    let pages = try DatabasePages(of: connection)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 8)
    defer { buffer.deallocate() }
    errno = ENOSPC
    let error = try #require(throws: SQLiteError.self) {
      try pages.read(into: buffer, at: 1 << 30)
    }
    #expect(error.result == .inputOutput)
    #expect(error.systemError == 0)
    #expect(!error.isDiskFull)
  }
}
