internal import BulkPlan

/// How much of a migration is made and stays when its losses exceed the limit.
package enum MadeBeforeLoss: Hashable, Sendable {
  case nothing
  /// The first legs of a route.
  case legs(Int)
  /// A destination that only has to be published.
  case destination

  fileprivate var phrase: String {
    switch self {
    case .nothing: "no destination was made"
    case .legs(1): "leg 1 is made and kept"
    case .legs(let count): "legs 1 to \(count) are made and kept"
    case .destination: "the destination is made, but not published"
    }
  }

  fileprivate func advice(_ next: NextCommands, _ limit: String) -> String {
    switch self {
    case .nothing: "to accept this, pass \(limit)"
    case .legs: "to go on: \(next.resume) with \(limit)"
    case .destination: "to publish it: \(next.resume) with \(limit)"
    }
  }
}

extension MigrationError {
  /// The refusal of losses, and how to allow them, in several lines.
  static func text(
    ofLosses all: [MigrationPlan.Loss],
    _ limit: LossLimit,
    _ made: MadeBeforeLoss,
    _ next: NextCommands
  ) -> String {
    let losses = all.filter(\.isLimited)
    // What else may be lost, the run counts before it publishes.
    let needed = next.names.lossLimit(.count(made == .nothing ? losses.certain : losses.most))
    return
      (["more is lost than \(next.names.lossLimit(limit)) allows; \(made.phrase):"]
      + losses.map { "  " + $0.description } + [made.advice(next, needed)]).joined(separator: "\n")
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
