import Testing

struct FolderTests {
  /// The folders of a target that depend on each other in a circle, of which each names a type that a file of the next
  /// declares at its top level.
  private static func circles(_ sources: [String: String]) -> Set<String> {
    let declaration =
      /(?m)^(?!.*import )(?:@?\w+(?:\(\w+\))? )*(?:struct|class|enum|protocol|actor|typealias) (\w+)/
    func folder(_ path: String) -> String {
      path.split(separator: "/").dropLast().joined(separator: "/")
    }
    var declared: [Substring: String] = [:]
    for (path, code) in sources {
      for match in code.matches(of: declaration) { declared[match.1] = folder(path) }
    }
    var named: [String: Set<String>] = [:]
    for (path, code) in sources {
      let words = code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      named[folder(path), default: []].formUnion(words.compactMap { declared[$0] })
    }
    return Set(
      named.keys.filter { start in
        var reached: Set<String> = []
        var open = (named[start] ?? []).subtracting([start])
        while let next = open.popFirst() {
          if reached.insert(next).inserted {
            open.formUnion((named[next] ?? []).subtracting([next]))
          }
        }
        return reached.contains(start)
      }
    )
  }

  @Test func `no two folders of a target depend on each other in a circle`() throws {
    let targets = Dictionary(grouping: try Project.code()) { $0.key.prefix { $0 != "/" } }
    #expect(targets.count > 10)
    for (target, files) in targets {
      let sources = files.map { (String($0.key.dropFirst(target.count + 1)), $0.value) }
      #expect(Self.circles(Dictionary(uniqueKeysWithValues: sources)) == [], "\(target)")
    }
  }

  @Test func `a circle over three folders is found, and folders that only lean on it are none`() {
    let circles = Self.circles([
      "A/One.swift": "struct One { let two: Two }",
      "B/Two.swift": "package struct Two { let three = Three() }",
      "C/Three.swift": "final class Three { var ones: [One] = [] }",
      "D/Four.swift": "extension One { func four() {} }\nenum Four {}",
      "Five.swift": "enum Five {}",
      "E/Six.swift": "struct Six { let five: Five, four: Four }",
    ])
    #expect(circles == ["A", "B", "C"])
  }

  @Test(arguments: ["StoreSession", "StoreBuilder", "TransactionLog", "RowSink"])
  func `the planner writes nothing`(type: String) throws {
    let found = try Project.files(with: type).map { $0.prefix { $0 != "/" } }
    #expect(!found.isEmpty)
    #expect(Set(found).contains("BulkPlan") == false)
  }

  /// Others import the layer of SQLite for copies of whole files alone.
  @Test func `in a run only what leaves objects out has SQL of its own`() throws {
    let found = try Project.files(with: "import BulkSQLite").filter {
      $0.hasPrefix("BulkExecute/") && !$0.hasPrefix("BulkExecute/Rejects/")
    }
    let copying = try Project.files(with: "FileCopying")
    #expect(Set(found).subtracting(copying + ["BulkExecute/Files/DurableFiles.swift"]) == [])
    #expect(try Project.files(with: "SQLText").filter(found.contains) == [])
  }
}
