internal import BulkModel

/// The methods of `NSString` that give texts and parts of texts.
enum TextMethod: String, Hashable, Sendable, CaseIterable {
  case appending = "stringByAppendingString:"
  case suffix = "substringFromIndex:"
  case prefix = "substringToIndex:"
  case part = "substringWithRange:"
  case split = "componentsSeparatedByString:"
  case splitAtCharacters = "componentsSeparatedByCharactersInSet:"
  case replacingRange = "stringByReplacingCharactersInRange:withString:"
  case trimming = "stringByTrimmingCharactersInSet:"
  case padding = "stringByPaddingToLength:withString:startingAtIndex:"
}

extension TextMethod: ReceiverMethod {
  static func receiver(_ value: EvaluatedValue) -> String? {
    if case .attribute(.string(let text)) = value { text } else { nil }
  }

  static func isReceiver(_ type: ExpressionType) -> Bool { type == .string }

  var rule: MethodRule {
    switch self {
    case .appending: MethodRule(.text, gives: .receiver, of: "'Ab'", with: "'c'", is: "'Abc'")
    case .suffix:
      MethodRule(.integer, gives: .receiver, mayFail: true, of: "'Abc'", with: "1", is: "'bc'")
    case .prefix:
      MethodRule(.integer, gives: .receiver, mayFail: true, of: "'Abc'", with: "1", is: "'A'")
    case .part:
      MethodRule(.range, gives: .receiver, mayFail: true, of: "'Abcd'", with: "{1, 2}", is: "'bc'")
    case .split:
      MethodRule(
        .text,
        gives: .type(.collection(of: .string)),
        of: "'a, b'",
        with: "', '",
        is: "{'a', 'b'}"
      )
    case .splitAtCharacters:
      MethodRule(
        .characters,
        gives: .type(.collection(of: .string)),
        of: "'a-b_c'",
        with: CharacterSetConstant.expression(.punctuation),
        is: "{'a', 'b', 'c'}"
      )
    case .replacingRange:
      MethodRule(
        .range,
        .text,
        gives: .receiver,
        mayFail: true,
        of: "'Abcd'",
        with: "{1, 2}, '-'",
        is: "'A-d'"
      )
    case .trimming:
      MethodRule(
        .characters,
        gives: .receiver,
        of: "' a b '",
        with: CharacterSetConstant.expression(.whitespace),
        is: "'a b'"
      )
    case .padding:
      MethodRule(
        .integer,
        .text,
        .integer,
        gives: .receiver,
        mayFail: true,
        of: "'7'",
        with: "3, '.', 0",
        is: "'7..'"
      )
    }
  }

  func value(
    of text: String,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    let units = TextUnits(text, rawValue)
    switch self {
    case .appending:
      let other = try arguments.text(0)
      try arguments.memory.take(text.utf8.count + other.utf8.count, rawValue)
      return .text(text + other)
    case .suffix: return .text(try units.suffix(try arguments.integer(0)))
    case .prefix: return .text(try units.prefix(try arguments.integer(0)))
    case .part: return .text(try units.part(try arguments.range(0)))
    case .split:
      return .collection(try TextParts(text, arguments).separated(by: try arguments.text(0)))
    case .splitAtCharacters: return .collection(try TextParts(text, arguments).separated())
    case .replacingRange:
      let other = try arguments.text(1)
      try arguments.memory.take(text.utf8.count + other.utf8.count, rawValue)
      return .text(try units.replacing(try arguments.range(0), with: other))
    case .trimming: return .text(TextParts(text, arguments).trimmed())
    case .padding: return .text(try padded(text, arguments))
    }
  }

  /// The text cut to a length, or filled up to it with another one, which begins at an index of its own.
  private func padded(
    _ text: String,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> String {
    let length = try arguments.integer(0)
    let units = TextUnits(text, rawValue)
    let missing = length - Int64(units.count)
    guard length >= 0, missing > 0 else { return try units.prefix(length) }
    let pad = Array(try arguments.text(1).utf16)
    let start = try arguments.integer(2)
    guard start >= 0, start < Int64(pad.count) else {
      throw EvaluationFailure("\(rawValue) asks for \(start) of a text of \(pad.count) code units")
    }
    // A code unit takes at most three bytes.
    let (bytes, overflow) = missing.multipliedReportingOverflow(by: 3)
    try arguments.memory.take(overflow ? .max : Int(bytes) + text.utf8.count, rawValue)
    let filling = (0..<Int(missing)).map { pad[(Int(start) + $0) % pad.count] }
    guard let filling = String(validating: filling, as: UTF16.self) else {
      throw EvaluationFailure(
        "\(rawValue) cuts between the two code units of one character, and no store can hold half "
          + "a character"
      )
    }
    return text + filling
  }
}

extension EvaluatedValue {
  static func text(_ text: String) -> EvaluatedValue { .attribute(.string(text)) }
  static func integer(_ number: Int64) -> EvaluatedValue { .attribute(.integer(number)) }
  static func boolean(_ flag: Bool) -> EvaluatedValue { .attribute(.boolean(flag)) }
}
