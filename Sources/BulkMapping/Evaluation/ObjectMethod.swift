internal import BulkModel
internal import BulkPlatform

/// The methods of `NSObject`, `NSUUID` and `NSURL` that give a text or compare.
enum ObjectMethod: String, Hashable, Sendable, CaseIterable {
  case isEqual = "isEqual:"
  case description
  case uuidString = "UUIDString"
  case absoluteString
}

extension ObjectMethod: ReceiverMethod {
  static func receiver(_ value: EvaluatedValue) -> EvaluatedValue? { value }

  func isReceived(by type: ExpressionType) -> Bool {
    switch self {
    case .isEqual: type != .composite
    case .description: CastType.string.certainty(of: type) != nil
    case .uuidString: type == .uuid
    case .absoluteString: type == .uri
    }
  }

  var rule: MethodRule {
    let uuid = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    return switch self {
    case .isEqual: MethodRule(.any, gives: .type(.boolean), of: "1", with: "'1'", is: "FALSE")
    case .description:
      MethodRule(
        gives: .type(.string),
        of: "CAST(0, 'NSDate')",
        is: "'2001-01-01 00:00:00 +0000'"
      )
    case .uuidString:
      MethodRule(
        gives: .type(.string),
        of: "CAST('\(uuid)', 'NSUUID')",
        is: "'\(uuid)'"
      )
    case .absoluteString:
      MethodRule(
        gives: .type(.string),
        of: "CAST('https://a.example', 'NSURL')",
        is: "'https://a.example'"
      )
    }
  }

  func value(
    of receiver: EvaluatedValue,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    switch self {
    case .isEqual: return .boolean(arguments.values[0].isEqual(to: receiver))
    case .description:
      guard case .attribute(let value) = receiver, let text = CastText.text(of: value) else {
        throw unknown(receiver)
      }
      return .text(text)
    case .uuidString:
      guard case .attribute(.uuid(let uuid)) = receiver else { throw unknown(receiver) }
      return .text(uuid.uuidString)
    case .absoluteString:
      guard case .attribute(.uri(let text)) = receiver else { throw unknown(receiver) }
      return .text(text)
    }
  }

  private func unknown(_ receiver: EvaluatedValue) -> EvaluationFailure {
    EvaluationFailure("\(receiver.kind) does not know \(rawValue)")
  }
}

/// The methods of `NSData`.
enum DataMethod: String, Hashable, Sendable, CaseIterable {
  case length
  case part = "subdataWithRange:"
  case base64 = "base64EncodedStringWithOptions:"
  case isEqual = "isEqualToData:"
}

extension DataMethod: ReceiverMethod {
  static func receiver(_ value: EvaluatedValue) -> [UInt8]? {
    if case .attribute(.binary(let bytes)) = value { bytes } else { nil }
  }

  func isReceived(by type: ExpressionType) -> Bool { type == .binary }

  var rule: MethodRule {
    let receiver = "CAST('QWJj', 'NSData')"
    return switch self {
    case .length: MethodRule(gives: .type(.count), of: receiver, is: "3")
    case .part:
      MethodRule(
        .range,
        gives: .receiver,
        mayFail: true,
        of: receiver,
        with: "{1, 2}",
        is: "CAST('YmM=', 'NSData')"
      )
    case .base64:
      MethodRule(
        .integer,
        gives: .type(.string),
        mayFail: true,
        of: receiver,
        with: "0",
        is: "'QWJj'"
      )
    case .isEqual:
      MethodRule(.any, gives: .type(.boolean), of: receiver, with: receiver, is: "TRUE")
    }
  }

  func value(
    of bytes: [UInt8],
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    switch self {
    case .length: return .integer(Int64(bytes.count))
    case .part:
      let bounds = try arguments.range(0).bounds(within: bytes.count, rawValue)
      try arguments.memory.take(bounds.count, rawValue)
      return .attribute(.binary(Array(bytes[bounds])))
    case .base64:
      let options = try arguments.integer(0)
      guard options == 0 else {
        throw EvaluationFailure("\(rawValue) knows no options but 0, and not \(options)")
      }
      try arguments.memory.take(bytes.count / 3 * 4 + 4, rawValue)
      return .text(Data(bytes).base64EncodedString())
    case .isEqual: return .boolean(arguments.values[0].isEqual(to: .attribute(.binary(bytes))))
    }
  }
}

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
