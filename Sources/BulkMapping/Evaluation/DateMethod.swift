internal import BulkModel

/// The methods of `NSDate`.
enum DateMethod: String, Hashable, Sendable, CaseIterable {
  case adding = "dateByAddingTimeInterval:"
  case since = "timeIntervalSinceDate:"
  case sinceReferenceDate = "timeIntervalSinceReferenceDate"
  case since1970 = "timeIntervalSince1970"
  case sinceNow = "timeIntervalSinceNow"
  case earlier = "earlierDate:"
  case later = "laterDate:"
  case isEqual = "isEqualToDate:"
  case compare = "compare:"

  /// The seconds from 1970-01-01 to 2001-01-01.
  static let secondsOf2001 = 978_307_200.0
}

extension DateMethod: ReceiverMethod {
  static func receiver(_ value: EvaluatedValue) -> Double? {
    if case .attribute(.date(let seconds)) = value { seconds } else { nil }
  }

  func isReceived(by type: ExpressionType) -> Bool { type == .date }

  var rule: MethodRule {
    switch self {
    case .adding:
      MethodRule(.number, gives: .receiver, mayGiveNil: true, of: date(0), with: "60", is: date(60))
    case .since:
      MethodRule(
        .date,
        gives: .type(.double),
        mayGiveNil: true,
        of: date(60),
        with: date(0),
        is: "60.0"
      )
    case .sinceReferenceDate: MethodRule(gives: .type(.double), of: date(60), is: "60.0")
    case .since1970: MethodRule(gives: .type(.double), of: date(0), is: "978307200.0")
    case .sinceNow:
      MethodRule(gives: .type(.double), mayGiveNil: true, of: "now()", is: "0.0")
    case .earlier: MethodRule(.date, gives: .receiver, of: date(60), with: date(0), is: date(0))
    case .later: MethodRule(.date, gives: .receiver, of: date(60), with: date(0), is: date(60))
    case .isEqual:
      MethodRule(.any, gives: .type(.boolean), of: date(60), with: date(60), is: "TRUE")
    case .compare:
      MethodRule(.date, gives: .type(.order), of: date(60), with: date(0), is: "1")
    }
  }

  private func date(_ seconds: Int) -> String { "CAST(\(seconds), 'NSDate')" }

  func value(
    of seconds: Double,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    switch self {
    case .adding:
      let sum = seconds + (try arguments.number(0).double)
      return sum.isNaN ? .null : .attribute(.date(sum))
    case .since:
      return .attribute(Number.double(seconds - (try arguments.date(0))).value)
    case .sinceReferenceDate: return .attribute(.double(seconds))
    case .since1970: return .attribute(.double(seconds + Self.secondsOf2001))
    case .sinceNow: return .attribute(Number.double(seconds - arguments.now).value)
    case .earlier: return .attribute(.date(min(seconds, try arguments.date(0))))
    case .later: return .attribute(.date(max(seconds, try arguments.date(0))))
    case .isEqual: return .boolean(arguments.values[0].isEqual(to: .attribute(.date(seconds))))
    case .compare:
      return .order(Number.double(seconds).compare(.double(try arguments.date(0))))
    }
  }
}
