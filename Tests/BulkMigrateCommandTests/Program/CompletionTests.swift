import BulkTestSupport
import Testing

@Suite("Completions", .program)
struct CompletionTests {
  private let program: Program

  init() throws { program = try Program() }

  /// Where a program is; `nil` where it is not installed.
  private static func installed(_ name: String) -> String? {
    ["/usr/bin/", "/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a shell that finds the program.
  private func run(_ shell: String, _ words: String...) throws -> ProcessRun {
    let folder = URL(fileURLWithPath: Program.path ?? "/nowhere").deletingLastPathComponent().path
    return try ProcessRun(
      Self.installed(shell) ?? "",
      words,
      in: program.directory.path,
      environment: ["PATH": "\(folder):/usr/bin:/bin:/usr/local/bin"]
    )
  }

  private func script(_ shell: String) throws -> String {
    let run = try program("completion", shell, ending: 0)
    try program.write(run.output, to: "script")
    return program.directory.path("script")
  }

  /// What every shell asks for, and which words can stand in the place of the last one.
  private static let places = """
    re | resume rejects report
    run --max-m | --max-memory
    run --plan v | :files
    run --state-dir  | :folders
    run --on-error q | quarantine
    rejects  | list show replay
    help ex | exit-codes expressions
    fleet r | run report retry
    mapping c | check convert
    fleet run --work | --workers
    verify --level  | quick full
    fixture --model v2.mom --rows N | Note
    fixture --model = v2.mom --nil Note. | Note.stars Note.title
    completion  | bash fish zsh
    """

  @Test func `the words that can stand in a place are known`() throws {
    let program = try Program(.call)
    for line in Self.places.split(separator: "\n") {
      let parts = line.components(separatedBy: " | ")
      let run = try program(["completion", "bash", "--"] + parts[0].components(separatedBy: " "))
      let words = Set(run.output.split { $0.isWhitespace }.map(String.init))
      #expect(words == Set(parts[1].words), "\(line)")
    }
  }

  @Test(
    .enabled(if: installed("bash") != nil, "skips because there is no bash"),
    arguments: [
      (["re"], "resume rejects report"), (["run", "--plan", "=", "v1"], "v1.mom"),
      (["run", "--plan", "v"], "v1.mom v2.mom"),
    ]
  )
  func `bash asks the program, and completes files itself`(
    words: [String],
    completed: String
  ) throws {
    let quoted = (["bulkmigrate"] + words).map { "'\($0)'" }.joined(separator: " ")
    let run = try run(
      "bash",
      "-c",
      "source '\(script("bash"))'; COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count); "
        + "_bulkmigrate; printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    // bash names files in the order of their folder.
    #expect(Set(run.output.split(separator: "\n").map(String.init)) == Set(completed.words))
    #expect(run.errors == "")
  }

  @Test(.enabled(if: installed("fish") != nil, "skips because there is no fish"))
  func `fish asks the program`() throws {
    let line = "bulkmigrate fixture --model v2.mom --rows N"
    let run = try run(
      "fish",
      "--no-config",
      "-c",
      "source '\(script("fish"))'; complete -C '\(line)'"
    )
    #expect(run.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } } == ["Note"])
  }

  @Test(.enabled(if: installed("zsh") != nil, "skips because there is no zsh"))
  func `zsh asks the program`() throws {
    // In place of the functions of its completion system, which need a terminal.
    let stubs = "compdef() { : }; compadd() { print -r -- ${(P)2} }; _files() { print -r files $1 }"
    let run = try run(
      "zsh",
      "-f",
      "-c",
      """
      \(stubs)
      source '\(script("zsh"))'
      words=(bulkmigrate fleet re) CURRENT=3; _bulkmigrate
      words=(bulkmigrate run --plan '') CURRENT=4; _bulkmigrate
      """
    )
    #expect(run.output == "report retry\nfiles \n")
    #expect(run.errors == "")
  }
}
