internal import BulkCoding
internal import BulkPlatform

extension [AttemptFacts] {
  /// The attempts at a store of a fleet.
  var section: [Markup] {
    PageTable(
      "Every attempt of the fleet at this store",
      enumerated(),
      .numbers("Attempt") { "\($0.offset + 1)" },
      .numbers("Ended") { Date(timeIntervalSince1970: $0.element.ended).formatted(.iso8601) },
      .words("Outcome") { $0.element.outcome },
      .numbers("Took") { Duration.seconds($0.element.seconds).short },
      .numbers("Rows") { $0.element.rows.map(\.grouped) ?? "" },
      .words("Host") { $0.element.host },
      .words("Error") { ErrorText($0.element.error ?? "").title }
    ).section("Attempts")
  }
}

/// The text of an error: its first line, and what follows.
struct ErrorText {
  let title: String
  let rest: String

  init(_ text: String) {
    let lines = text.split(separator: "\n", maxSplits: 1).map(String.init)
    let first = lines.first ?? ""
    title = first.hasSuffix(":") ? String(first.dropLast()) : first
    rest = lines.dropFirst().joined()
  }

  var markup: Markup? { rest.isEmpty ? nil : .tag("p", class: "reason", rest) }
}
