import BulkTestSupport
import Synchronization

@testable import BulkMigrateCommand

/// A command that is called in the process of the tests, as if a folder were its current one.
///
/// Words that name files of the folder become paths, of which what is printed shows the names alone.
struct CommandCall {
  let folder: String

  static func run(
    _ words: [String],
    in folder: String,
    _ environment: [String: String] = [:]
  ) -> ProcessRun {
    let call = CommandCall(folder: folder + "/")
    let results = RecordingStream()
    let narration = RecordingStream()
    // The memory of all tests would count as that of the command.
    let environment = environment.merging(["BULKMIGRATE_MAX_MEMORY": "64G"]) { first, _ in first }
    let output = Output(results: results, narration: narration, environment: environment)
    let code = CommandLineTool.table.run(
      call.paths(call.withPlan(words)),
      CommandContext(environment: environment, policies: PolicyRegistry(), output: output)
    )
    return ProcessRun(
      status: code.rawValue,
      output: results.text.replacing(call.folder, with: ""),
      errors: narration.text.replacing(call.folder, with: "")
    )
  }

  /// The options that name the plan, by the commands that take it from their current folder otherwise.
  private static let plans = [
    "plan": "--output", "run": "--plan", "resume": "--plan", "verify": "--plan",
    "preflight": "--plan", "rejects": "--plan",
  ]

  private func withPlan(_ words: [String]) -> [String] {
    guard let option = words.first.flatMap({ Self.plans[$0] }) else { return words }
    let isOutput = option == "--output"
    let others = [option] + (isOutput ? ["-o", "--diff"] : ["--state-dir", "--mapping"])
    let isShown = isOutput && words.count > 1 && words[1].first != "-"
    let isNamed = isShown || words.contains { others.contains($0) || $0.hasPrefix("\(option)=") }
    return isNamed ? words : words + [option, "bulkmigrate.plan.json"]
  }

  private func paths(_ words: [String]) -> [String] {
    // A version may be called as its file.
    zip([""] + words, words).map { before, word in before == "--to" ? word : path(word) }
  }

  /// The path of a word that names a file of the folder, which may not exist yet; any other word itself.
  private func path(_ word: String) -> String {
    guard let first = word.first, first != "/", first != "-" else { return word }
    let isName =
      word.wholeMatch(of: /[\w.~\/ -]+\.(cdm|html|json|mom|plan|sqlite|store|xc\w+)/) != nil
    let isFile = isName || FileManager.default.fileExists(atPath: folder + word)
    return isFile ? folder + word : word
  }
}

/// A stream that keeps what is written to it, and fails when it is told to.
final class RecordingStream: TextStream {
  let terminalWidth: Int?
  private let failure: OutputError?
  private let writes = Mutex<[String]>([])

  init(terminalWidth: Int? = nil, failure: OutputError? = nil) {
    self.terminalWidth = terminalWidth
    self.failure = failure
  }

  /// What was written, write by write.
  var pieces: [String] { writes.withLock { $0 } }

  /// What was written.
  var text: String { pieces.joined() }

  func write(_ text: String) throws(OutputError) {
    if let failure { throw failure }
    writes.withLock { $0.append(text) }
  }
}
