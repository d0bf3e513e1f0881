import Testing

@Suite("The rooms of the house")
struct FolderTests {
  @Test func `no two folders of a target depend on each other in a circle`() throws {
    let byTarget = Dictionary(grouping: try Project.sources()) {
      String($0.key.prefix { $0 != "/" })
    }
    #expect(byTarget.count > 10)
    for (target, files) in byTarget.sorted(by: { $0.key < $1.key }) {
      let sources = files.map { (String($0.key.dropFirst(target.count + 1)), $0.value) }
      for circle in FolderCheck(Dictionary(uniqueKeysWithValues: sources)).circles {
        Issue.record("\(target): \(circle)")
      }
    }
  }

  @Test func `a circle over three folders is found, with what ties it`() {
    let check = FolderCheck([
      "A/One.swift": "struct One { let two: Two }",
      "B/Two.swift": "/// Knows One.\npackage struct Two { let three = Three(\"One\") }",
      "C/Three.swift": "final class Three { var ones: [One] = [] }",
      "D/Four.swift": "extension One { func four() {} }",
    ])
    #expect(
      check.circles == ["A names Two of B; B names Three of C; C names One of A"]
    )
  }

  @Test func `folders that lean on each other in one direction are no circle`() {
    let check = FolderCheck([
      "One.swift": "struct One {}",
      "A/Two.swift": "struct Two { let one: One }",
      "B/Three.swift": "enum Three { case one(One), two(Two) }",
    ])
    #expect(check.circles == [])
  }

  @Test(arguments: ["StoreSession", "StoreBuilder", "TransactionLog", "RowSink"])
  func `the planner writes nothing`(type: String) throws {
    let targets = ["BulkVersions/", "BulkLowering/", "BulkPlan/"]
    let planner = try Project.sources().filter { file in
      targets.contains { file.key.hasPrefix($0) }
    }
    #expect(Set(planner.keys.map { $0.prefix { $0 != "/" } + "/" }) == Set(targets))
    for (path, text) in planner where String(SwiftText(text).code).contains(type) {
      Issue.record("Sources/\(path) names \(type)")
    }
  }

  @Test func `in a run only what leaves objects out has SQL of its own`() throws {
    let importing = try Project.sources().filter { path, text in
      path.hasPrefix("BulkExecute/") && !path.hasPrefix("BulkExecute/Rejects/")
        && ImportLine.all(in: text).contains { $0.module == "BulkSQLite" }
    }
    #expect(importing.keys.sorted() == [])
  }

  @Test func `who writes rows is named where a run begins, and where a fixture is made`() throws {
    let files = try Project.sources().filter {
      String(SwiftText($0.value).code).contains("SQLRowSink")
    }
    #expect(
      files.keys.sorted() == [
        "BulkExecute/Migrations/Migration.swift", "BulkFixture/Fixture.swift",
        "BulkStore/Writing/PageRowSink.swift", "BulkStore/Writing/SQLRowSink.swift",
        "BulkVerify/ExpectedStore.swift",
      ]
    )
  }
}
