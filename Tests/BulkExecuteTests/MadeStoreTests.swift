import BulkTestSupport
import Testing

/// A store that a test has made is checked when the test lets go of its folder.
struct MadeStoreTests {
  /// Migrates a store in a folder, changes bytes of the destination, and lets go of it.
  private func make(changing change: (inout [UInt8]) -> Void) throws {
    var store = TestStore(try .of(EntityDescription("Note", [.optional("title")])))
    store.objects = (1...200).map {
      TestObject("Note", Int64($0), ["title": .string("note \($0)")])
    }
    let next = try ManagedObjectModel.of(
      EntityDescription("Note", [.optional("title"), .optional("text")])
    )
    let planned = try Planned(store, to: next)
    try planned.run()
    var bytes = try Files.read(planned.plan.destination.store)
    change(&bytes)
    try Files.write(bytes, to: planned.plan.destination.store)
  }

  @Test func `a whole one passes`() throws { try make { _ in } }

  @Test func `a broken page is an issue`() throws {
    try withKnownIssue {
      try make { bytes in
        // The number of cells of the last leaf.
        let page = (0..<bytes.count / 4096).last { bytes[4096 * $0] == 13 } ?? 0
        bytes[4096 * page + 4] ^= 1
      }
    } matching: { issue in
      issue.comments.contains { $0.rawValue.hasPrefix("destination.sqlite: ") }
    }
  }
}
