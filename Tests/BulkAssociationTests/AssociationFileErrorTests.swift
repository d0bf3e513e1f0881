import BulkTestSupport
import Testing

@Suite struct AssociationFileErrorTests {
  private static func writeSegment(in folder: String) throws -> AssociationSegmentReference {
    var writer = try AssociationWriter(folder: folder, prefix: "t", memoryLimit: 0)
    try writer.append([1, 2, 5], with: [1, 2, 3])
    return try writer.seal()[0]
  }

  private static func error(
    opening segment: AssociationSegmentReference,
    in folder: String
  ) -> AssociationError? {
    #expect(throws: AssociationError.self) { try AssociationSegment(segment, in: folder).verify() }
  }

  @Test func `a segment of another length is refused with its path`() throws {
    let folder = TemporaryDirectory()
    let segment = try Self.writeSegment(in: folder.path)
    let path = folder.path + "/t-000001.zst"
    let handle = try #require(FileHandle(forUpdatingAtPath: path))
    try handle.truncate(atOffset: UInt64(segment.length) + 1)
    #expect(
      Self.error(opening: segment, in: folder.path)
        == .replaced(
          path: path,
          reason: "it has \(segment.length + 1) bytes instead of \(segment.length)"
        )
    )
    try handle.truncate(atOffset: 17)
    #expect(
      Self.error(opening: segment, in: folder.path)
        == .truncated(path: path, length: 17, expected: segment.length)
    )
  }

  @Test func `a sound segment with other pairs is not the recorded one`() throws {
    let folder = TemporaryDirectory()
    let other = TemporaryDirectory()
    let segment = try Self.writeSegment(in: folder.path)
    var writer = try AssociationWriter(folder: other.path, prefix: "t", memoryLimit: 0)
    try writer.append([1, 2, 5], with: [11, 12, 13])
    _ = try writer.seal()
    #expect(
      Self.error(opening: segment, in: other.path)
        == .replaced(path: other.path + "/t-000001.zst", reason: "its checksum is another")
    )
  }

  @Test func `a named pipe in the place of a segment is refused at once`() throws {
    let folder = TemporaryDirectory()
    let segment = try Self.writeSegment(in: folder.path)
    let path = folder.path + "/t-000001.zst"
    try FileManager.default.removeItem(atPath: path)
    try #require(mkfifo(path, 0o600) == 0)
    #expect(
      Self.error(opening: segment, in: folder.path)
        == .truncated(path: path, length: 0, expected: segment.length)
    )
  }

  @Test func `a missing segment is named with the system's reason`() throws {
    let folder = TemporaryDirectory()
    let segment = try Self.writeSegment(in: folder.path)
    let error = #expect(throws: FileError.self) {
      try AssociationSegment(segment, in: "/nowhere").verify()
    }
    #expect(error == FileError(code: 2, path: "/nowhere/t-000001.zst"))
    #expect(error?.reason == "No such file or directory")
  }

  @Test func `a segment is never written over another file`() throws {
    let folder = TemporaryDirectory()
    _ = try Self.writeSegment(in: folder.path)
    #expect(throws: FileError(code: 17, path: folder.path + "/t-000001.zst")) {
      try Self.writeSegment(in: folder.path)
    }
  }

  @Test func `a text is not a segment`() throws {
    let folder = TemporaryDirectory()
    let path = folder.path + "/text"
    try Data(repeating: 0x41, count: 500).write(to: URL(fileURLWithPath: path))
    let reason = "it does not begin with BULKASSO"
    #expect(throws: AssociationError.notASegment(path: path, reason: reason)) {
      try AssociationSegment(path: path).verify()
    }
  }
}
