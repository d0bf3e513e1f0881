import BulkExecute

struct OutputOptions: Sendable, Equatable {
  var isJSON = false
  var isQuiet = false
  var isColorless = false
  /// The amount of narration: 1 adds decisions and their reasons, 2 also every statement and every
  /// extent of pages.
  var verbosity = 0

  /// The rows that follow a command's own in every table; `--json` where it prints documents.
  static func rows<Arguments: CommandArguments>(
    _ results: [ResultFormat]
  ) -> [OptionRow<Arguments>] {
    let json = OptionRow<Arguments>.flag("json", \.output.isJSON)
    let others: [OptionRow<Arguments>] = [
      .flag("quiet", \.output.isQuiet), .flag("no-color", \.output.isColorless),
      .count("verbose") { $0.output.verbosity += $1 },
    ]
    return ((results.isEmpty ? [] : [json]) + others).map { $0.of(Manual.name) }
  }
}

protocol CommandArguments: Sendable {
  var output: OutputOptions { get set }
  /// The words of the programs of policies, by the names of the policies.
  var policies: [String: [String]] { get }
  init()
}

/// A document that commands print with `--json`: its kind and its version, as `Plans/schemas/KIND.schema.json` describes it.
///
/// The version changes when a document that was valid before would not be any more.
enum ResultFormat: String, CaseIterable, Sendable {
  case check = "check/1"
  case controlReport = "control-report/1"
  case evaluation = "evaluation/1"
  case fixture = "fixture/1"
  case fleet = "fleet/1"
  case fleetReport = "fleet-report/1"
  case fleetRun = "fleet-run/1"
  case fleetStatus = "fleet-status/1"
  case mapping = "mapping/1"
  case mappingDifferences = "mapping-differences/1"
  case mappingFindings = "mapping-findings/1"
  case mappingReport = "mapping-report/1"
  case mappingTrial = "mapping-trial/1"
  case modelReport = "model-report/1"
  case plan = "plan/2"
  case planDifferences = "plan-differences/1"
  case preflight = "preflight/1"
  case record = "record/1"
  case rejectedObject = "rejected-object/1"
  case rejects = "rejects/1"
  case salvage = "salvage/1"
  case storeReport = "store-report/1"
  case verification = "verification/1"
  case written = "written/1"

  var kind: Substring { rawValue.prefix { $0 != "/" } }
}

extension [ResultFormat] {
  /// The documents that a command prints with `--json`, as a sentence; `nil` if it prints none.
  var sentence: String? {
    guard let last else { return nil }
    let others = dropLast().map(\.rawValue).joined(separator: ", ")
    let formats = others.isEmpty ? last.rawValue : "\(others) or \(last.rawValue)"
    return "With --json it prints \(formats), which a schema in Plans/schemas describes."
  }
}

struct FormattedResult<Value: Encodable>: Encodable {
  private let format: ResultFormat
  private let value: Value

  private enum CodingKeys: CodingKey { case bulkmigrate }

  init(_ value: Value, as format: ResultFormat) { (self.value, self.format) = (value, format) }

  func encode(to encoder: any Encoder) throws {
    try value.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(format.rawValue, forKey: .bulkmigrate)
  }
}

enum PolicyWords {
  static func add(_ text: String, to commands: inout [String: [String]]) throws {
    guard let end = text.firstIndex(of: "="), end > text.startIndex else {
      throw UsageError("\(text) is not NAME=COMMAND, a policy and its program")
    }
    let name = String(text[..<end])
    let words = try ShellWord.words(of: String(text[text.index(after: end)...]))
    guard !words.isEmpty else {
      throw UsageError("policy \(name) has no program; write \(name)='program arguments'")
    }
    guard commands.updateValue(words, forKey: name) == nil else {
      throw UsageError("policy \(name) is named twice")
    }
  }

  /// A command line without the commands of policies, as the state records it.
  static func withoutCommands(_ words: [String]) -> [String] {
    words.indices.map { index in
      let isNamed = index > 0 && words[index - 1] == "--policy"
      guard isNamed || words[index].hasPrefix("--policy=") else { return words[index] }
      let parts = words[index].split(separator: "=", omittingEmptySubsequences: false)
      return (parts.prefix(isNamed ? 1 : 2) + ["…"]).joined(separator: "=")
    }
  }
}

/// Settings that only variables of the environment have, which hardly anybody needs.
struct RareSettings: Sendable {
  /// `nil` for not at all, and for 10 seconds in a fleet.
  private(set) var lockWait: Duration?
  /// `nil` for as many as there are processors.
  private(set) var threads: Int?
  private(set) var policyTimeout = Duration.seconds(60)

  private static let rows: [OptionRow<RareSettings>] = [
    .value("lock-wait", \.lockWait), .value("policy-timeout", \.policyTimeout),
    .value("threads") { $0.threads = try Int(parsing: $1, in: 1...2) },
  ]

  static var variables: [String] { rows.map(\.option.environmentName) }

  static let usual = RareSettings()

  private init() {}

  init(_ environment: [String: String]) throws(UsageError) {
    for row in Self.rows {
      let variable = row.option.environmentName
      guard let text = environment[variable], !text.isEmpty else { continue }
      do {
        try row.set(&self, text)
      } catch {
        throw UsageError("\(variable): \(error)")
      }
    }
  }

  func apply(to settings: inout MigrationSettings) {
    settings.lockWait = lockWait ?? settings.lockWait
    settings.threads = threads ?? settings.threads
  }
}
