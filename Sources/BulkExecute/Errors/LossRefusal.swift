internal import BulkVersions
internal import BulkPlan

/// Explains the refusal of a loss, and how to allow it.
struct LossRefusal {
  private let losses: [MigrationPlan.Loss]
  private let limit: LossLimit
  /// Whether the destination is made and kept, so that it only has to be published.
  private let isMade: Bool

  init(_ losses: [MigrationPlan.Loss], _ limit: LossLimit, isMade: Bool) {
    self.losses = losses.filter(\.isLimited)
    self.limit = limit
    self.isMade = isMade
  }

  /// The refusal as text of several lines.
  func text(_ next: NextCommands) -> String {
    let state = isMade ? "the destination is made, but not published" : "nothing was made"
    let advice =
      isMade
      ? "to publish it all the same: \(next.resume) with \(next.names.lossLimit(.all))"
      : "to accept this, pass \(next.names.lossLimit(.count(losses.most))) or \(next.names.lossLimit(.all))"
    return
      (["more is lost than \(next.names.lossLimit(limit)) allows; \(state):"]
      + losses.map { "  " + $0.description } + [advice]).joined(separator: "\n")
  }
}

extension ArgumentNames {
  /// The argument that sets how much may be lost.
  fileprivate func lossLimit(_ limit: LossLimit) -> String {
    switch (self, limit) {
    case (.options, _): "--max-loss \(limit)"
    case (.properties, .count(let count)): "a `lossLimit` of .count(\(count))"
    case (.properties, .all): "a `lossLimit` of .all"
    }
  }
}
