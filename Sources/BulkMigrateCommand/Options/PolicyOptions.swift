import BulkExecute

/// The options that name programs in the place of policy classes.
struct PolicyOptions: Sendable {
  /// The words of the program of each policy.
  var commands: [String: [String]] = [:]

  static let rows: [OptionRow<PolicyOptions>] = [
    .values("policy", "NAME=COMMAND") { try $0.add($1) }.help(
      "A program that takes the place of a policy class, as SplitName='python3 split_name.py'; it is split into words as a "
        + "shell quotes, and started without one. It is never taken from the environment or the state: resume and "
        + "rejects replay need it again."
    ).onlyTyped()
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

  /// The policies of this program, and those that are named.
  func registry(_ known: PolicyRegistry, timeout: Duration) -> PolicyRegistry {
    known.adding(commands.mapValues { PolicyProgram(words: $0, patience: timeout) })
  }
}

/// Arguments that may name programs in the place of policy classes.
protocol PolicyArguments: CommandArguments {
  var policies: PolicyOptions { get set }
}
