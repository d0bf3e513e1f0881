/// The page of a fleet's store that cannot be planned: why, and its attempts.
package struct StoreFailurePage {
  private let source: String
  private let destination: String
  private let reason: String
  private let attempts: [AttemptFacts]

  /// The page of a store by its paths, the error of planning it, and the attempts in their order.
  package init(source: String, destination: String, reason: String, attempts: [AttemptFacts]) {
    (self.source, self.destination) = (source, destination)
    (self.reason, self.attempts) = (reason, attempts)
  }

  /// The whole page.
  package var text: String {
    let error = ErrorText(reason)
    let head: [Markup?] = [
      HeadSection.title(source, destination),
      HeadSection.status("failed", style: "bad", "The store cannot be planned: \(error.title)"),
      error.markup,
    ]
    let header = Markup.tag("header", [:], head.compactMap(\.self))
    return ReportPage.text(
      of: destination,
      [header] + AttemptSection(attempts: attempts).markup
    )
  }
}
