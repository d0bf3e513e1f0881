import BulkTestSupport
import Testing

struct ExclusiveAccessTests {
  @Test func `a store is locked until the access ends`() throws {
    let directory = TemporaryDirectory()
    let path = directory.path("store.sqlite")
    try Connection(path: path, access: .readWrite).execute("CREATE TABLE t (a)")
    let access = try ExclusiveAccess(path)
    let error = try #require(throws: StoreError.self) { try ExclusiveAccess(path) }
    #expect(error.cause == .busy)
    access.end()
    try ExclusiveAccess(path).end()
    withExtendedLifetime(access) {}
  }
}
