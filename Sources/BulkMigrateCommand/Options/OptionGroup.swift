/// A section of a command's options in its help, in the order of the sections.
enum OptionGroup: String, CaseIterable, Sendable {
  case input = "Input"
  case losses = "What may be lost"
  case limits = "Limits"
  case output = "Output"
  case advanced = "Advanced"

  /// The section of an option.
  static func of(_ name: String) -> OptionGroup {
    names.first { $0.value.contains(name) }?.key ?? .advanced
  }

  /// Whether `-h` shows an option, too.
  static func isOfEveryDay(_ name: String) -> Bool { everyDay.contains(name) }

  private static let names: [OptionGroup: Set<String>] = [
    .input: [
      "configuration", "destination", "destination-model", "entity", "expression",
      "folder",
      "into", "level", "manifest", "mapping", "mappings", "model", "models", "no-copy", "pattern",
      "metadata-only", "pause",
      "plan", "fleet", "stage", "stage-in", "stage-out", "scratch", "strategy", "staged", "failure",
      "policy", "proof", "rate", "results", "resume", "root", "rows", "source",
      "source-model",
      "sources", "state-dir", "store", "table", "to", "where",
    ],
    .losses: [
      "allow", "dependants", "ignore-mapping", "like-core-data", "max-failures", "max-loss",
      "max-rejects", "no-infer", "on-error",
    ],
    .limits: [
      "bins", "bin", "canary", "max-duration", "max-memory", "retries", "sample", "workers",
    ],
    .output: [
      "detailed-exitcode", "diff", "full", "html", "markdown", "output", "page", "report", "strict",
      "verify", "watch",
    ],
  ]

  private static let everyDay: Set = [
    "canary", "destination", "destination-model", "diff", "entity", "expression", "folder", "into",
    "level", "manifest", "mapping", "mappings", "max-failures", "max-loss", "max-memory", "model",
    "models", "no-copy", "on-error", "output", "plan", "policy", "proof", "rate", "report",
    "resume",
    "rows", "sample", "source", "source-model", "store", "to", "watch", "workers",
  ]
}
