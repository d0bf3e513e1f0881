import BulkTestSupport
import Testing

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

  @Test func `a group of commands explains itself`() throws {
    let help = try program("help", "fleet").output
    #expect(help.contains("\n  fleet retry ") && !help.contains("fleet work"))
    #expect(try program("fleet").status == 64)
    #expect(try program("fleet", "--help").output == help)
    let run = try program("help", "fleet", "run").output
    #expect(run.hasPrefix("usage: bulkmigrate fleet run [options]"))
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

  @Test(arguments: [
    ["plan", "--source", "Notes.sqlite", "--destination", "N.sqlite", "--destination-model"],
    ["migrate", "Notes.sqlite", "--destination-model"],
  ])
  func `a failure is the record of an attempt, too`(words: [String]) throws {
    let run = try program(words + ["nowhere.mom", "--json", "-q"], ending: 66)
    let report = try run.object(isLine: true)
    #expect(report["outcome"] as? String == "failed")
    #expect(report["exitCode"] as? Int == 66)
    #expect((report["store"] as? String)?.hasSuffix("Notes.sqlite") == true)
    #expect(report["tool"] as? String == "0.1.0")
    let error = try #require(report["error"] as? [String: Any])
    #expect((error["message"] as? String)?.contains("nowhere.mom") == true)
  }

  @Test func `inspect ends with 1 if no model that is named opens the store`() throws {
    #expect(try program("inspect", "Notes.sqlite", "--model", "v1.mom").status == 0)
    #expect(try program("inspect", "Notes.sqlite", "--model", "v2.mom").status == 1)
    #expect(
      try program("inspect", "Notes.sqlite", "--model", "v2.mom", "--model", "v1.mom").status == 0
    )
  }
}
