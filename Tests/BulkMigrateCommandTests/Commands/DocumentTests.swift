import BulkTestSupport
import Foundation
import Testing

@Suite("What the program says of itself, and how errors are documents")
struct DocumentTests {
  private let program: Program

  init() throws { program = try Program(.call) }

  /// tools/manual makes pages of it, and mandoc checks them.
  @Test func `help is JSON with every command and its options`() throws {
    let tables = try program("help", "--json").object()
    let commands = try #require(tables["commands"] as? [[String: Any]])
    let names = commands.compactMap { $0["name"] as? String }
    #expect(names.contains("fleet run") && names.contains("mapping try"))
    let run = try #require(commands.first { $0["name"] as? String == "run" })
    let options = (run["options"] as? [[String: Any]])?.compactMap { $0["variable"] as? String }
    #expect(options?.contains("BULKMIGRATE_MAX_MEMORY") == true)
    #expect((tables["exitCodes"] as? [Any])?.count ?? 0 > 15)
    #expect(try program("completion", "tcsh").status == 64)
  }

  @Test func `the version names the commit and the libraries`() throws {
    let lines = try program("--version").output.split(separator: "\n").map(String.init)
    #expect(lines.map { $0.prefix { $0 != " " } } == ["bulkmigrate", "commit", "SQLite", "zstd"])
  }

  @Test func `errors are JSON for a program that asks for it`() throws {
    let run = try program("status", "--json", "missing.json", ending: 66)
    #expect(run.errors.hasPrefix(#"{"bulkmigrate":"error/1","exitCode":66,"message":"#))
    let usage = try program("status", "--json", "--wrong", ending: 64)
    #expect(
      usage.errors
        == #"{"bulkmigrate":"error/1","exitCode":64,"message":"unknown option --wrong"}"# + "\n"
    )
  }

  @Test func `inspect ends with 1 if no model that is named opens the store`() throws {
    #expect(try program("inspect", "Notes.sqlite", "--model", "v1.mom").status == 0)
    #expect(try program("inspect", "Notes.sqlite", "--model", "v2.mom").status == 1)
    #expect(
      try program("inspect", "Notes.sqlite", "--model", "v2.mom", "--model", "v1.mom").status == 0
    )
  }
}
