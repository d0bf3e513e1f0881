internal import BulkVersions
internal import BulkPlan

extension MigrationError {
  /// The refusal of losses, and how to allow them, in several lines.
  ///
  /// A destination that is made and kept only has to be published.
  static func text(
    ofLosses all: [MigrationPlan.Loss],
    _ limit: LossLimit,
    isMade: Bool,
    _ next: NextCommands
  ) -> String {
    let losses = all.filter(\.isLimited)
    let state = isMade ? "the destination is made, but not published" : "nothing was made"
    let limits = "\(next.names.lossLimit(.count(losses.most))) or \(next.names.lossLimit(.all))"
    let advice =
      isMade ? "to publish it: \(next.resume) with \(limits)" : "to accept this, pass \(limits)"
    return
      (["more is lost than \(next.names.lossLimit(limit)) allows; \(state):"]
      + losses.map { "  " + $0.description } + [advice]).joined(separator: "\n")
  }
}

extension ArgumentNames {
  fileprivate func lossLimit(_ limit: LossLimit) -> String {
    switch (self, limit) {
    case (.options, _): "--max-loss \(limit)"
    case (.properties, .count(let count)): "a `lossLimit` of .count(\(count))"
    case (.properties, .all): "a `lossLimit` of .all"
    }
  }
}
