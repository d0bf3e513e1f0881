import Foundation
import Testing

struct LayeringTests {
  /// The targets of the manifest in their order, each with those that it names.
  private static func layers() throws -> [(target: String, lower: [String])] {
    let calls = try Project.text("Package.swift")
      .matches(of: /(?m)^    (?:layer|\.systemLibrary|\.executableTarget)\(([^()]*)/)
    let names = calls.map { $0.1.matches(of: /"(\w+)"/).map { String($0.1) } }
    let targets = Set(names.map { $0[0] })
    return names.map { ($0[0], $0.dropFirst().filter(targets.contains)) }
  }

  /// The modules that a source imports.
  private static func imports(in code: String) -> [String] {
    let kinds = ["class", "enum", "func", "let", "protocol", "struct", "typealias", "var"]
    return code.matches(of: /\bimport\s+(\w+)(?: +(\w+))?/).map { match in
      String(kinds.contains(String(match.1)) ? match.2 ?? match.1 : match.1)
    }
  }

  @Test func `every target imports only what the manifest lists for it`() throws {
    let lower = Dictionary(uniqueKeysWithValues: try Self.layers().map { ($0.target, $0.lower) })
    for (path, code) in try Project.code() {
      let target = String(path.prefix { $0 != "/" })
      // The names of the system's libraries on the platforms are known to one target alone.
      let system =
        path.hasPrefix("BulkSupport/Platform/")
        ? ["Darwin", "Foundation", "FoundationEssentials", "Glibc", "Musl"] : []
      let allowed = ["Synchronization"] + system + (lower[target] ?? [])
      #expect(Self.imports(in: code).filter { !allowed.contains($0) } == [], "Sources/\(path)")
    }
  }

  @Test(arguments: [
    "package import Book", "@_exported public import struct Book.Spine",
    "let a = \"//\"; import Book",
    "#if canImport(Book)\nimport Book\n#endif", "@_exported\nimport Book",
  ])
  func `an import is found however it is written`(source: String) {
    #expect(Self.imports(in: Project.code(of: source)) == ["Book"])
  }

  @Test(arguments: [
    "// import Book", "let a = \"import Book\"", "let a = \"\"\"\n  import Book\n  \"\"\"",
  ])
  func `words in comments and strings are not imports`(source: String) {
    #expect(Self.imports(in: Project.code(of: source)) == [])
  }

  @Test func `every target is above those that it may import, has a folder, and is in the list`()
    throws
  {
    let layers = try Self.layers()
    for (index, (target, lower)) in layers.enumerated() {
      #expect(Set(lower).subtracting(layers.prefix(index).map(\.target)) == [], "\(target)")
      let owners = layers.filter { $0.lower.contains(target) }.map(\.target)
      #expect(owners.count == 1 || !target.hasPrefix("C"), "\(target)")
    }
    let page = try Project.text("CONTRIBUTING.md")
    let list = try #require(page.firstMatch(of: /```text\n(BulkMigrateTool(?:.*\n)+?)```/)).1
    let names = list.matches(of: /(?:^|\n| )(C?Bulk\w+)/).map { String($0.1) }
    #expect(
      names.filter { !$0.hasPrefix("C") }
        == layers.map(\.target).reversed().filter { !$0.hasPrefix("C") }
    )
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Project.root.appendingPathComponent("Sources").path
    )
    #expect(folders.sorted() == layers.map(\.target).sorted())
    #expect(folders.sorted() == names.sorted())
  }

  @Test func `only the target that stands for the platform asks which one it is`() throws {
    for (path, code) in try Project.code() where !path.hasPrefix("BulkSupport/Platform/") {
      for line in code.split(separator: "\n")
      where line.contains("#") && line.contains(/^\s*#(if|elseif)\b/)
        && !line.contains(/^\s*#if DEBUG$/)
      {
        Issue.record("Sources/\(path): \(line)")
      }
    }
  }

  @Test func `no source imports Foundation where its parts can be had without ICU`() throws {
    let importing = try Project.code().filter { _, code in
      Self.imports(in: code).contains("Foundation")
    }
    #expect(importing.keys.sorted() == ["BulkSupport/Platform/Essentials.swift"])
    let essentials = try #require(importing["BulkSupport/Platform/Essentials.swift"])
    #expect(
      essentials.contains(
        "#if canImport(FoundationEssentials)\n@_exported public import FoundationEssentials\n#else\n"
      )
    )
  }

  // MARK: What an app sees

  @Test func `what an app does not get by name is not public in the layers below`() throws {
    let exporting = try Project.code().filter { $1.contains("@_exported") }
    #expect(
      exporting.keys.sorted() == [
        "BulkMigrate/Exports.swift", "BulkSupport/Platform/Essentials.swift",
        "BulkSupport/Platform/SystemLibrary.swift",
      ]
    )
    let exports = exporting["BulkMigrate/Exports.swift"] ?? ""
    let seen = Set(exports.matches(of: /public import \w+ (\w+\.\w+)/).map { String($0.1) })
    #expect(exports.matches(of: /@_exported/).count == seen.count && seen.count > 40)
    var found: Set<String> = []
    for (file, text) in try Project.sources() {
      let target = file.prefix { $0 != "/" }
      if ["BulkMigrate", "BulkMigrateCommand", "BulkFixture"].contains(target) { continue }
      let declaration =
        /(?m)^public (?:final |indirect )?(?:class|enum|func|let|protocol|struct|var) (\w+)/
      found.formUnion(text.matches(of: declaration).map { "\(target).\($0.1)" })
    }
    #expect(found == seen)
  }

  @Test(arguments: ["PeopleMigration", "BringUpToDate", "SplitName"])
  func `the README and the manual show examples as the tests compile them`(name: String) throws {
    let example = try Project.text("Tests/BulkMigrateTests/Readme/\(name).swift")
    let readme = name == "PeopleMigration" ? ["README.md"] : []
    for page in ["Sources/BulkMigrate/BulkMigrate.docc/FromSwift.md"] + readme {
      #expect(try Project.text(page).contains("```swift\n\(example)```\n"), "\(page)")
    }
  }

  @Test
  func `packages of Plans have folders of different names, by which SwiftPM tells them apart`()
    throws
  {
    let packages = try Project.files(under: "Plans", endingWith: "/Package.swift").keys
    #expect(
      packages.sorted() == [
        "examples/example-policies/Package.swift", "uncloudnotes/notes-policies/Package.swift",
      ]
    )
  }
}
