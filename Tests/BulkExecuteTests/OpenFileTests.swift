#if os(Linux)
import BulkTestSupport
import Testing

struct OpenFileTests {
  /// The files in a folder that this process has open, as the system lists them (proc(5)).
  private func open(in folder: String) throws -> [String] {
    let manager = FileManager.default
    let descriptors = try manager.contentsOfDirectory(atPath: "/proc/self/fd")
    return descriptors.compactMap {
      try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    .filter { $0.hasPrefix(folder + "/") }
  }

  @Test(arguments: [0, 25_000] as [Int64])
  func `a migration closes what it opened`(minimumRowsForCheckpoints: Int64) throws {
    let store = TestStore(
      try .of(EntityDescription("Note", [.optional("title")])),
      TestObject("Note", 1, ["title": "a"])
    )
    let planned = try Planned(
      store,
      to: .of(EntityDescription("Note", [.optional("title"), .optional("subtitle")]))
    )
    try planned.run { $0.minimumRowsForCheckpoints = minimumRowsForCheckpoints }
    #expect(try open(in: planned.directory.path) == [])
  }
}
#endif
