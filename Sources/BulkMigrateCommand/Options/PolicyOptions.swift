import BulkExecute

struct PolicyOptions: Sendable {
  var commands: [String: [String]] = [:]

  static let rows: [OptionRow<PolicyOptions>] = [
    .values("policy") { try $0.add($1) }.onlyTyped()
  ]

  private mutating func add(_ text: String) throws {
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

  func registry(_ known: PolicyRegistry, timeout: Duration) -> PolicyRegistry {
    known.adding(commands.mapValues { PolicyProgram(words: $0, patience: timeout) })
  }
}

protocol PolicyArguments: CommandArguments {
  var policies: PolicyOptions { get set }
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
