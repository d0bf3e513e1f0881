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
