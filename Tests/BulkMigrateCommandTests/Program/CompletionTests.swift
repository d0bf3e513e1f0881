import BulkTestSupport
import Foundation
import Testing

@Suite("Completions and manual pages", .program)
struct CompletionTests {
  private let program: Program

  init() throws { program = try Program() }

  /// Where a program is; `nil` where it is not installed.
  private static func installed(_ name: String) -> String? {
    ["/usr/bin/", "/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The value of `PATH` with the program in front.
  private func path() throws -> String {
    let folder = URL(fileURLWithPath: Program.path ?? "/nowhere").deletingLastPathComponent().path
    return "\(folder):/usr/bin:/bin:/usr/local/bin"
  }

  private func script(_ shell: String) throws -> String {
    let run = try program("completion", shell, ending: 0)
    try program.write(run.output, to: "script")
    return program.directory.path("script")
  }

  @Test(
    .enabled(if: installed("bash") != nil, "skips because there is no bash"),
    arguments: [
      (["re"], "resume rejects report"),
      (["run", "--max-m"], "--max-memory"),
      (["run", "--plan", "v"], "v1.mom v2.mom"),
      (["run", "--plan", "=", "v1"], "v1.mom"),
      (["run", "--on-error", "q"], "quarantine"),
      (["rejects", ""], "list show replay"),
      (["help", "ex"], "exit-codes expressions"),
      (["fleet", "r"], "run report retry"),
      (["mapping", "c"], "check convert"),
      (["fleet", "run", "--work"], "--workers"),
      (["fleet", "run", "--fleet", "v1"], "v1.mom"),
      (["fixture", "--model", "v2.mom", "--rows", "N"], "Note"),
      (["fixture", "--model", "=", "v2.mom", "--nil", "Note."], "Note.stars Note.title"),
      (["completion", "f"], "fish"),
    ]
  )
  func `bash completes commands, options, values and files`(
    words: [String],
    completed: String
  ) throws {
    try #require(try program(Program.plan + ["-q"]).status == 0)
    let quoted = (["bulkmigrate"] + words).map { "'\($0)'" }.joined(separator: " ")
    let run = try ProcessRun(
      Self.installed("bash") ?? "",
      [
        "-c",
        "source '\(try script("bash"))'; COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count); "
          + "_bulkmigrate; printf '%s\\n' \"${COMPREPLY[@]}\"",
      ],
      in: program.directory.path,
      environment: ["PATH": try path()]
    )
    // bash names files in the order of their folder.
    let completions = run.output.split(separator: "\n").map(String.init)
    #expect(Set(completions) == Set(completed.components(separatedBy: " ")))
    #expect(run.errors == "")
  }

  @Test(
    .enabled(if: installed("fish") != nil, "skips because there is no fish"),
    arguments: [
      ("re", ["rejects", "report", "resume"]),
      ("run --max-m", ["--max-memory"]),
      ("run --on-error q", ["quarantine"]),
      ("verify --level ", ["full", "quick"]),
      ("completion ", ["bash", "fish", "zsh"]),
      ("fleet re", ["report", "retry"]),
      ("fleet run --work", ["--workers"]),
      ("fixture --model v2.mom --rows N", ["Note"]),
    ] as [(String, [String])]
  )
  func `fish completes commands, options and values`(line: String, completed: [String]) throws {
    let run = try ProcessRun(
      Self.installed("fish") ?? "",
      ["--no-config", "-c", "source '\(try script("fish"))'; complete -C 'bulkmigrate \(line)'"],
      in: program.directory.path,
      environment: ["PATH": try path()]
    )
    let names = run.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
    #expect(names.map(String.init).sorted() == completed)
  }

  @Test(.enabled(if: installed("zsh") != nil, "skips because there is no zsh"))
  func `zsh asks the program`() throws {
    // In place of the functions of its completion system, which need a terminal.
    let stubs = "compdef() { : }; compadd() { print -r -- ${(P)2} }; _files() { print -r files $1 }"
    let run = try ProcessRun(
      Self.installed("zsh") ?? "",
      [
        "-f", "-c",
        """
        \(stubs)
        source '\(try script("zsh"))'
        words=(bulkmigrate fleet re) CURRENT=3; _bulkmigrate
        words=(bulkmigrate run --plan '') CURRENT=4; _bulkmigrate
        """,
      ],
      in: program.directory.path,
      environment: ["PATH": try path()]
    )
    #expect(run.output == "report retry\nfiles \n")
    #expect(run.errors == "")
  }
}
