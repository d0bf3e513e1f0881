import BulkVersions
import BulkPlatform

struct CheckCommand: ParsableCommand {
  var output = OutputOptions()
  var request = PlanRequest()
  var stages: [CustomStage] = []
  /// The stores to judge.
  var stores: [String] = []
  /// A file that lists stores, or `-` for standard input.
  var storeList: String?
  var isMarkdown = false

  static let table = OptionTable(
    command: "check",
    summary: "Check that an app opens the stores of its earlier versions.",
    explanation: """
      Judges every store against every version as Core Data and SwiftData would: it has the version, inference reaches it \
      (light), code must prepare the rows first (custom), or inference refuses the change, so that no single stage makes \
      it (refused). Of a store that no version fits it tells what was changed after it shipped, and what the app will \
      say. Only mapping models of Xcode count: the app cannot read JSON mappings. Models and metadata are read, and no rows. \
      It ends with 1 where the current version does not open a store, or \
      the versions contradict one another, and with 65 or 66 where a store cannot be read.
      """,
    examples: [
      "bulkmigrate check Stores/v1.store Stores/v2.store --models Stores":
        "Check an app on SwiftData that keeps a store of each version.",
      "bulkmigrate check Tests/*.sqlite --models App.xcdatamodeld --mappings App":
        "Check an app on Core Data, with its mapping models.",
      "bulkmigrate check v1.store --models Stores --stage 1.0.0:2.0.0 --markdown":
        "Say which stages are custom ones, and print a table for a pull request.",
      "bulkmigrate check --sources stores.txt --models App.xcdatamodeld":
        "See of many stores which version each is, and how it comes to the current one.",
    ],
    results: [.check],
    defaults: CheckCommand(),
    options: [
      .values("models", "DIR", \.request.models).help(
        "Where the versions of the app are: a folder, which is searched, a model, a package of versions, or a store of "
          + "each."
      ),
      .values("mappings", "DIR", \.request.mappings).help(
        "Where the app's mapping models are; folders are searched."
      ),
      .values("stage", "FROM:TO") { $0.stages.append(try CustomStage(parsing: $1)) }.help(
        "A custom stage of the app, by the names or identifiers of two versions: its code prepares the rows. With it the "
          + "stages between are judged one by one."
      ),
      .value("to", "VERSION", \.request.version).help(
        "The version that opens the stores; the current one, or the last by name where none is marked."
      ),
      .value("configuration", "NAME", \.request.configuration).help(
        "The configuration of the models whose entities the stores have."
      ),
      .value("sources", "FILE", \.storeList).help(
        "A list of stores, one a line; - is standard input."
      ),
      .flag("markdown", \.isMarkdown).help("Print the tables in Markdown."),
    ],
    operands: [
      .rest("STORE", "The stores, as versions of the app have written them.", \.stores)
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
