import BulkMigrate
import BulkTestSupport
import Foundation
import Testing

/// The test has a process of its own, in which nothing was migrated before.
@Suite("The memory of an app")
struct MemoryTests {
  @Test func `what a run leaves in memory is not counted against the next one`() async {
    await #expect(processExitsWith: .success) {
      let app = try AppVersions()
      try app.writeStore(2)
      try app.writeMapping()
      var needed: [Int] = []
      for number in 1...4 {
        var migration = StoreMigration(of: app, to: "new\(number).sqlite")
        migration.mappings = [app.url("v2-to-v3.json")]
        migration.memoryLimit = .mebibytes(1)
        let error = await #expect(throws: StoreMigrationError.self) { try await migration.run() }
        #expect(error?.code == .limitTooSmall)
        let words = try #require(error?.description.split(separator: " "))
        let place = try #require(words.firstIndex(of: "least"))
        needed.append(try #require(Int(words[place + 1])))
        migration.memoryLimit = .gibibytes(1)
        try await migration.run()
      }
      // In MiB; planning takes code and heap too, a run would add some 7.
      #expect(needed[3] - needed[0] <= 4)
    }
  }
}
