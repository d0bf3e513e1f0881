internal import BulkModel
internal import BulkPlatform

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
