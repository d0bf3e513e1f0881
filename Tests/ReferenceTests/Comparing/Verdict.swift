/// What came of a scenario.
enum Verdict: Sendable {
  /// It could not be planned.
  case refused(String)
  /// It was carried out, or failed to be, and was held against the reference.
  case compared([Difference])

  var differences: [Difference] {
    switch self {
    case .refused: []
    case .compared(let differences): differences
    }
  }
}
