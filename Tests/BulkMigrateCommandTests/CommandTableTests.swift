import BulkFixture
import BulkTestSupport
import Testing

@testable import BulkMigrateCommand

struct CommandTableTests {
  private let results = RecordingStream()
  private let narration = RecordingStream()

  @Test(arguments: [[], ["help"], ["--help"], ["-h"]])
  func `without a command the program explains itself`(words: [String]) {
    #expect(run(words) == .done)
    #expect(
      results.text.hasPrefix(
        """
        usage: bulkmigrate COMMAND [options]

        Moves people.

        Examples:
          bulkmigrate travel here
              Go home.

        Commands, in the order of their use:
          travel            Go somewhere.
          help COMMAND      Show a command's options.
          help exit-codes   Show how the program ends, and with which code.
          help expressions  Show the functions of expressions, with examples.
          help environment  Show how variables set options.

        """
      )
    )
    #expect(results.text.contains("  -h, --help"))
    #expect(narration.text == "")
  }

  @Test(arguments: [
    ["help", "travel"], ["--help", "travel"], ["travel", "--help"], ["travel", "-h"],
  ])
  func `a command explains itself on standard output`(words: [String]) {
    #expect(run(words) == .done)
    let isShort = words.last == "-h"
    #expect(
      results.text
        == (isShort
          ? Travel.table.shortHelp
          : Travel.table.help)
        + "\n"
    )
  }

  @Test func `the version is a result`() {
    #expect(run(["--version"]) == .done)
    #expect(results.text == "bulkmigrate 1.2.3\n")
  }

  @Test func `every exit code is explained`() {
    #expect(run(["help", "exit-codes"]) == .done)
    let codes = results.text.split(separator: "\n").dropFirst(2).compactMap {
      Int($0.split(separator: " ").first ?? "")
    }
    #expect(codes == ExitCode.allCases.map { Int($0.rawValue) })
  }

  @Test(arguments: [
    (["travle"], "bulkmigrate: unknown command 'travle'; did you mean travel?\n"),
    (["hepl"], "bulkmigrate: unknown command 'hepl'; did you mean help?\n"),
    (["fly"], "bulkmigrate: unknown command 'fly'\n"),
    (["help", "travl"], "bulkmigrate: unknown command 'travl'; did you mean travel?\n"),
    (["--vresion"], "bulkmigrate: unknown option --vresion; did you mean --version?\n"),
    (["apply"], "bulkmigrate: unknown command 'apply'; use run\n"),
  ])
  func `an unknown word is an error of use, with the nearest known one`(
    words: [String],
    message: String
  ) {
    #expect(run(words) == .usage)
    #expect(narration.text == message + "see: bulkmigrate help\n")
    #expect(results.text == "")
  }

  @Test func `a mistake among a command's options points to the command's help`() {
    #expect(run(["travel", "--weather", "3", "here"]) == .usage)
    #expect(
      narration.text == "bulkmigrate: unknown option --weather\nsee: bulkmigrate help travel\n"
    )
  }

  @Test func `an unknown word is an error in JSON where that is asked for`() {
    #expect(run(["travle", "--json"]) == .usage)
    #expect(
      narration.text
        == #"{"bulkmigrate":"error/1","exitCode":64,"message":"unknown command 'travle'; did you mean travel?"}"#
        + "\n"
    )
  }

  @Test(
    .tags(.promise10),
    arguments: [
      (
        "BULKMIGRATE_SEEED",
        "unknown variable BULKMIGRATE_SEEED; did you mean BULKMIGRATE_SEED?"
      ),
      ("BULKMIGRATE_WEATHER", "unknown variable BULKMIGRATE_WEATHER"),
      ("BULKMIGRATE_HELP", "--help must be typed; BULKMIGRATE_HELP cannot set it"),
      (
        "BULKMIGRATE_SHOW_ORIGIN",
        "unknown variable BULKMIGRATE_SHOW_ORIGIN; use -v, which shows each option that is set and by what"
      ),
    ]
  )
  func `a variable that sets no option is refused`(variable: String, message: String) {
    #expect(run(["travel", "here"], [variable: "1"]) == .usage)
    #expect(narration.text == "bulkmigrate: \(message)\nsee: bulkmigrate help travel\n")
    #expect(results.text == "")
  }

  @Test func `an empty variable and one of the tests are not refused`() {
    #expect(
      run(["travel", "here"], ["BULKMIGRATE_WEATHER": "", "BULKMIGRATE_CORPUS": "1"]) == .workFound
    )
  }

  @Test func `what is given is told with -v, and where it comes from`() {
    #expect(run(["travel", "-v", "here"]) == .workFound)
    #expect(
      narration.text == """
        --seed 9: BULKMIGRATE_SEED
        --verbose 1: command line
        on the way

        """
    )
  }

  @Test func `a command gets what was typed, and an output that obeys it`() {
    #expect(run(["travel", "-q", "-s7", "here"]) == .workFound)
    #expect(results.text == "7 from here\n")
    #expect(narration.text == "")
  }

  @Test func `a command's error is reported with its exit code`() {
    #expect(run(["travel", "nowhere"]) == .inputOutput)
    #expect(narration.text == "bulkmigrate: the output is not read to its end\n")
  }

  private func run(_ words: [String], _ variables: [String: String] = [:]) -> ExitCode {
    let usual = words.first == "travel" ? ["BULKMIGRATE_SEED": "9"] : [:]
    let environment = usual.merging(variables) { $1 }
    let travel = Command("travel", of: Travel.manual, [.fixture, .record]) { arguments in
      { context in
        if arguments.file == "nowhere" { throw OutputError.readerGone }
        context.output.note("on the way")
        try context.output.result("\(arguments.fixture.seed) from \(arguments.file)")
        return .workFound
      }
    }
    let table = CommandTable(
      text: Manual.Section(
        explanation: "Moves people.",
        examples: [("bulkmigrate travel here", "Go home.")]
      ),
      commands: [travel],
      version: "bulkmigrate 1.2.3"
    )
    let output = Output(results: results, narration: narration, environment: [:])
    return table.run(
      words,
      CommandContext(environment: environment, policies: PolicyRegistry(), output: output)
    )
  }
}
