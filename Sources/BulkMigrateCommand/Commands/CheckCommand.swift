import BulkPlatform
import BulkVersions

struct CheckCommand: ParsableCommand {
  var output = OutputOptions()
  var request = PlanRequest()
  var stages: [CustomStage] = []
  var stores: [String] = []
  var storeList: String?
  var isMarkdown = false

  static let table = OptionTable<CheckCommand>(
    "check",
    results: [.check],
    options: [
      .values("models", \.request.models),
      .values("mappings", \.request.mappings),
      .values("stage") { $0.stages.append(try CustomStage(parsing: $1)) },
      .value("to", \.request.version),
      .value("configuration", \.request.configuration),
      .value("sources", \.storeList),
      .flag("markdown", \.isMarkdown),
    ],
    operands: [
      .rest("STORE", \.stores)
    ]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    guard !stores.isEmpty || storeList != nil else { throw UsageError.missingOperand("STORE") }
    guard !request.models.isEmpty else {
      throw UsageError("--models DIR is missing, the versions of the app")
    }
    let check = try VersionCheck(request.knowing(context), stages: stages)
    var unreadable: ExitCode?
    let report = check.report(on: try SourceList(stores, list: storeList)) {
      unreadable = unreadable ?? $0.exitCode
    }
    let text = CheckText(report: report, isMarkdown: isMarkdown)
    try context.output.show(report, as: .check, text.lines)
    return unreadable ?? (report.isGood ? .done : .failed)
  }
}

extension CustomStage {
  init(parsing text: String) throws {
    let names = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard names.count == 2, !names.contains("") else {
      throw UsageError("\(text) is not FROM:TO, two versions of the app")
    }
    self.init(from: names[0], to: names[1])
  }
}

/// Many stores: those that are named, then those of a list, one per line.
///
/// A list is read as needed; empty lines are skipped.
struct SourceList: Sequence {
  private let named: [String]
  private let lines: [Substring]?
  private let readsInput: Bool

  /// Reads the stores that a command line names.
  ///
  /// - Throws: ``Refusal`` if the list cannot be read.
  init(_ named: [String], list: String?) throws(Refusal) {
    self.named = named
    readsInput = list == "-"
    guard let list, list != "-" else {
      lines = nil
      return
    }
    guard let bytes = FileReading.all(of: list), let text = String(validating: bytes, as: UTF8.self)
    else { throw Refusal(.noInput, "the list of stores \(list) cannot be read as UTF-8 text") }
    lines = text.split(separator: "\n")
  }

  func makeIterator() -> AnyIterator<String> {
    var first = named.makeIterator()
    var rest = (lines ?? []).makeIterator()
    return AnyIterator {
      if let path = first.next() ?? rest.next().map(String.init) { return path }
      guard readsInput else { return nil }
      while let line = readLine() {
        if !line.isEmpty { return line }
      }
      return nil
    }
  }
}
