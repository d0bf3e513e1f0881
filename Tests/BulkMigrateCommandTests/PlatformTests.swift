import Foundation
import Testing

@testable import BulkMigrateCommand

@Suite("File descriptors")
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

  @Test func `a pipe is no terminal and has no width`() {
    let pipe = Pipe()
    #expect(!Platform.isTerminal(pipe.fileHandleForWriting.fileDescriptor))
    #expect(Platform.terminalWidth(pipe.fileHandleForWriting.fileDescriptor) == nil)
  }
}
