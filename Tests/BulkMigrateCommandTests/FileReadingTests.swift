import BulkTestSupport
import Testing

@testable import BulkMigrateCommand

struct FileReadingTests {
  private let folder = TemporaryDirectory()

  @Test func `a pipe is read to its end, in as many parts as it comes`() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("one\n".utf8))
    try pipe.fileHandleForWriting.write(contentsOf: Data("two\n".utf8))
    try pipe.fileHandleForWriting.close()
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    #expect(FileReading.all(of: path) == Array("one\ntwo\n".utf8))
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
  func `a file is read whole`(count: Int) throws {
    let path = folder.path("file")
    let written = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 251) }
    try Files.write(written, to: path)
    #expect(FileReading.all(of: path) == written)
  }

  @Test func `the beginning of a file is shorter only if the file is`() throws {
    let path = folder.path("file")
    try Files.write(Array("beginning".utf8), to: path)
    #expect(FileReading.beginning(of: path, count: 5) == Array("begin".utf8))
    #expect(FileReading.beginning(of: path, count: 50) == Array("beginning".utf8))
  }

  @Test func `what is not a file, or not there, has no bytes`() {
    let path = folder.path("nothing")
    #expect(FileReading.all(of: path) == nil)
    #expect(FileReading.beginning(of: path, count: 1) == nil)
    #expect(FileReading.all(of: "/") == nil)
  }
}

struct SystemEventTests {
  @Test func `an event has happened for everybody who waits, as often as they ask`() {
    let event = SystemEvent()
    SystemThread.detach(stackBytes: 1 << 20) { event.signal() }
    while !event.waitShortly() {}
    #expect(event.waitShortly())
  }

  @Test func `a wait ends without the event`() {
    #expect(!SystemEvent().waitShortly())
  }
}

struct PlatformTests {
  @Test func `a pipe takes what is written to it`() throws {
    let pipe = Pipe()
    try Platform.write(Array("one\ntwo\n".utf8), to: pipe.fileHandleForWriting.fileDescriptor)
    try pipe.fileHandleForWriting.close()
    #expect(try pipe.fileHandleForReading.readToEnd() == Data("one\ntwo\n".utf8))
  }

  @Test func `a pipe that nobody reads is an error and not the end of the process`() throws {
    Platform.ignoreBrokenPipes()
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    #expect(throws: OutputError.readerGone) {
      try Platform.write([0x61], to: pipe.fileHandleForWriting.fileDescriptor)
    }
  }

  @Test func `a closed descriptor is an error with the system's reason`() {
    #expect(throws: OutputError.cannotWrite(reason: "Bad file descriptor")) {
      try Platform.write([0x61], to: -1)
    }
  }

  @Test func `a pipe is not a terminal and has no width`() {
    let pipe = Pipe()
    #expect(!Platform.isTerminal(pipe.fileHandleForWriting.fileDescriptor))
    #expect(Platform.terminalWidth(pipe.fileHandleForWriting.fileDescriptor) == nil)
  }
}
