import BulkSupport
import Testing

@testable import BulkMigrateCommand

struct OutputTests {
  private let results = RecordingStream()
  private let narration = RecordingStream()

  private struct Trip: Encodable {
    let to: String
    let from: String
  }

  private struct TwoFaults: Error, CustomStringConvertible {
    let description = "no road\nno ship"
  }

  @Test func `results and narration go to different streams`() throws {
    let output = output()
    try output.result("a")
    try output.result(["b", "c"])
    output.note("d")
    output.warning("e")
    #expect(results.text == "a\nb\nc\n")
    #expect(narration.text == "d\nwarning: e\n")
  }

  @Test func `a terminal obeys nothing that a store holds`() throws {
    let output = output()
    try output.result("a\u{1B}[31mb\tc\u{7F}\u{9B}")
    output.warning("d\u{7}\r")
    #expect(results.text == "a\u{FFFD}[31mb\tc\u{FFFD}\u{FFFD}\n")
    #expect(narration.text == "warning: d\u{FFFD}\u{FFFD}\n")
  }

  @Test func `an error that knows its exit code gives it`() {
    #expect(output().report(UsageError.missingOperand("STORE")) == .usage)
    #expect(output().report(OutputError.cannotWrite(reason: "disk full")) == .inputOutput)
  }

  @Test func `quiet silences notes, but neither results nor warnings nor each line of an error`()
    throws
  {
    let output = output(options: OutputOptions(isQuiet: true))
    output.note("a")
    output.warning("b")
    try output.result("c")
    #expect(output.report(TwoFaults()) == .failed)
    #expect(results.text == "c\n")
    #expect(narration.text == "warning: b\nbulkmigrate: no road\nbulkmigrate: no ship\n")
  }

  @Test func `JSON has its format, its keys sorted and its slashes bare`() throws {
    try output().json(Trip(to: "a/b", from: "c"), as: .written)
    #expect(
      results.text
        == "{\n  \"bulkmigrate\" : \"written/1\",\n  \"from\" : \"c\",\n  \"to\" : \"a/b\"\n}\n"
    )
    #expect(try StableJSON.line(Trip(to: "a/b", from: "c")) == #"{"from":"c","to":"a/b"}"#)
  }

  @Test func `a reader that goes away ends the result quietly, a full disk with an error`() throws {
    func output(_ failure: OutputError) -> Output {
      Output(
        results: RecordingStream(failure: failure),
        narration: narration,
        environment: [:]
      )
    }
    let unread = output(.readerGone)
    try unread.result("a")
    #expect(unread.isUnread)
    try unread.result("b")
    #expect(narration.text == "")
    let full = OutputError.cannotWrite(reason: "No space left on device")
    #expect(throws: full) { try output(full).result("a") }
  }

  @Test(
    arguments: [
      (80, ["TERM": "xterm"], OutputOptions(), true),
      (80, ["TERM": "xterm", "NO_COLOR": ""], OutputOptions(), true),
      (nil, ["TERM": "xterm"], OutputOptions(), false),
      (80, ["TERM": "dumb"], OutputOptions(), false),
      (80, [:], OutputOptions(), false),
      (80, ["TERM": "xterm", "NO_COLOR": "1"], OutputOptions(), false),
      (80, ["TERM": "xterm"], OutputOptions(isColorless: true), false),
    ] as [(Int?, [String: String], OutputOptions, Bool)]
  )
  func `color is used on a terminal that has it, unless it is not wanted`(
    terminalWidth: Int?,
    environment: [String: String],
    options: OutputOptions,
    isColored: Bool
  ) {
    let terminal = RecordingStream(terminalWidth: terminalWidth)
    let output = Output(
      results: results,
      narration: terminal,
      environment: environment,
      options: options
    )
    output.warning("a")
    #expect(terminal.text == (isColored ? "\u{1B}[33mwarning:\u{1B}[0m a\n" : "warning: a\n"))
  }

  @Test(arguments: [80, nil])
  func `entities of a plan stand out on a terminal, and what a name holds is not obeyed`(
    terminalWidth: Int?
  ) throws {
    let terminal = RecordingStream(terminalWidth: terminalWidth)
    let output = Output(
      results: terminal,
      narration: narration,
      environment: ["TERM": "xterm"],
      options: OutputOptions()
    )
    try output.result(["  + A\u{1B}[2J", "  ~ B", "  - C", "    D"], PlanText.style)
    #expect(
      terminal.text
        == (terminalWidth == nil
          ? "  + A\u{FFFD}[2J\n  ~ B\n  - C\n    D\n"
          : "\u{1B}[32m  + A\u{FFFD}[2J\u{1B}[0m\n\u{1B}[33m  ~ B\u{1B}[0m\n"
            + "\u{1B}[31m  - C\u{1B}[0m\n    D\n")
    )
  }

  private func output(options: OutputOptions = OutputOptions()) -> Output {
    Output(results: results, narration: narration, environment: [:], options: options)
  }
}
