internal import BulkCoding
internal import BulkModel

/// The methods of `NSString` that give texts and parts of texts.
enum TextMethod: String, Hashable, Sendable, CaseIterable {
  case appending = "stringByAppendingString:"
  case suffix = "substringFromIndex:"
  case prefix = "substringToIndex:"
  case part = "substringWithRange:"
  case split = "componentsSeparatedByString:"
  case splitAtCharacters = "componentsSeparatedByCharactersInSet:"
  case replacing = "stringByReplacingOccurrencesOfString:withString:"
  case replacingRange = "stringByReplacingCharactersInRange:withString:"
  case trimming = "stringByTrimmingCharactersInSet:"
  case padding = "stringByPaddingToLength:withString:startingAtIndex:"
  case uppercase = "uppercaseString"
  case lowercase = "lowercaseString"
  case capitalized = "capitalizedString"
  case composed = "precomposedStringWithCanonicalMapping"
  case decomposed = "decomposedStringWithCanonicalMapping"
  case decodingPercents = "stringByRemovingPercentEncoding"
}

extension TextMethod: ReceiverMethod {
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
    case .replacing:
      MethodRule(
        .text,
        .text,
        gives: .receiver,
        of: "'a.b.c'",
        with: "'.', '-'",
        is: "'a-b-c'"
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
    case .uppercase: MethodRule(gives: .receiver, of: "'Abc'", is: "'ABC'")
    case .lowercase: MethodRule(gives: .receiver, of: "'Abc'", is: "'abc'")
    case .capitalized: MethodRule(gives: .receiver, of: "'ab cd-EF'", is: "'Ab Cd-ef'")
    case .composed:
      MethodRule(gives: .receiver, of: #"'e\u0301'"#, is: #"'\u00e9'"#)
    case .decomposed:
      MethodRule(gives: .receiver, of: #"'\u00e9'"#, is: #"'e\u0301'"#)
    case .decodingPercents:
      MethodRule(gives: .receiver, mayGiveNil: true, of: "'a%20b'", is: "'a b'")
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
    case .replacing: return .text(try replaced(text, arguments))
    case .replacingRange:
      let other = try arguments.text(1)
      try arguments.memory.take(text.utf8.count + other.utf8.count, rawValue)
      return .text(try units.replacing(try arguments.range(0), with: other))
    case .trimming: return .text(TextParts(text, arguments).trimmed())
    case .padding: return .text(try padded(text, arguments))
    case .uppercase, .lowercase, .capitalized, .composed, .decomposed, .decodingPercents:
      // None of them makes more than eighteen bytes of three.
      try arguments.memory.take(6 * text.utf8.count, rawValue)
      return converted(text).map { .text($0) } ?? .null
    }
  }

  /// The text in another form of the same length or so.
  private func converted(_ text: String) -> String? {
    switch self {
    case .uppercase: text.uppercased()
    case .lowercase: LowerCase.text(text)
    case .capitalized: TitleCase.text(text)
    case .composed: CanonicalText.composed(text)
    case .decomposed: CanonicalText.decomposed(text)
    case .decodingPercents: PercentText.decoded(text)
    case .appending, .suffix, .prefix, .part, .split, .splitAtCharacters, .replacing,
      .replacingRange, .trimming, .padding:
      text
    }
  }

  /// The text with every occurrence of one replaced by another.
  private func replaced(
    _ text: String,
    _ arguments: MethodArguments
  ) throws(EvaluationFailure) -> String {
    let wanted = try arguments.text(0)
    let other = try arguments.text(1)
    try arguments.memory.take(text.utf8.count, rawValue)
    var result = String.UnicodeScalarView()
    let search = CanonicalSearch(wanted, arguments.memory.watch)
    var place = text.startIndex
    while let found = search.range(in: text, from: place) {
      try arguments.memory.take(other.utf8.count, rawValue)
      result.append(contentsOf: text.unicodeScalars[place..<found.lowerBound])
      result.append(contentsOf: other.unicodeScalars)
      place = found.upperBound
    }
    result.append(contentsOf: text.unicodeScalars[place...])
    return String(result)
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

/// Texts in which `%` and two hexadecimal digits stand for a byte of UTF-8.
enum PercentText {
  /// The text that is meant; `nil` if a `%` has no two digits behind it, or if the bytes are no UTF-8.
  static func decoded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
