internal import BulkCoding
internal import BulkModel

/// The methods of `NSString` that give texts and parts of texts.
extension FoundationMethod {
  static let text = ReceiverClass<String>(
    isReceived: { $0 == .string },
    receiver: \.string
  )

  static let texts: [ExampleRow<FoundationMethod>] = [
    text("stringByAppendingString:", .text, gives: .receiver) { text, call in
      let other = try call.text(0)
      try call.take(text.utf8.count + other.utf8.count)
      return .text(text + other)
    }.example("'Ab'", "'c'", is: "'Abc'"),
    text("substringFromIndex:", .integer, gives: .receiver.orFailure) { text, call in
      .text(try call.units(of: text).suffix(try call.integer(0)))
    }.example("'Abc'", "1", is: "'bc'"),
    text("substringToIndex:", .integer, gives: .receiver.orFailure) { text, call in
      .text(try call.units(of: text).prefix(try call.integer(0)))
    }.example("'Abc'", "1", is: "'A'"),
    text("substringWithRange:", .range, gives: .receiver.orFailure) { text, call in
      .text(try call.units(of: text).part(try call.range(0)))
    }.example("'Abcd'", "{1, 2}", is: "'bc'"),
    text("componentsSeparatedByString:", .text, gives: .texts) { text, call in
      .collection(try TextParts(text: text, arguments: call).separated(by: try call.text(0)))
    }.example("'a, b'", "', '", is: "{'a', 'b'}"),
    text("componentsSeparatedByCharactersInSet:", .characters, gives: .texts) { text, call in
      .collection(try TextParts(text: text, arguments: call).separated())
    }.example("'a-b_c'", CharacterSetConstant.expression(.punctuation), is: "{'a', 'b', 'c'}"),
    text(
      "stringByReplacingOccurrencesOfString:withString:",
      .text,
      .text,
      gives: .receiver,
      replaced
    ).example("'a.b.c'", "'.', '-'", is: "'a-b-c'"),
    text(
      "stringByReplacingCharactersInRange:withString:",
      .range,
      .text,
      gives: .receiver.orFailure
    ) { text, call in
      let other = try call.text(1)
      try call.take(text.utf8.count + other.utf8.count)
      return .text(try call.units(of: text).replacing(try call.range(0), with: other))
    }.example("'Abcd'", "{1, 2}, '-'", is: "'A-d'"),
    text("stringByTrimmingCharactersInSet:", .characters, gives: .receiver) { text, call in
      .text(TextParts(text: text, arguments: call).trimmed())
    }.example("' a b '", CharacterSetConstant.expression(.whitespace), is: "'a b'"),
    text(
      "stringByPaddingToLength:withString:startingAtIndex:",
      .integer,
      .text,
      .integer,
      gives: .receiver.orFailure,
      padded
    ).example("'7'", "3, '.', 0", is: "'7..'"),
    form("uppercaseString") { $0.uppercased() }.example("'Abc'", is: "'ABC'"),
    form("lowercaseString") { LowerCase.text($0) }.example("'Abc'", is: "'abc'"),
    form("capitalizedString") { TitleCase.text($0) }.example("'ab cd-EF'", is: "'Ab Cd-ef'"),
    form("precomposedStringWithCanonicalMapping") { CanonicalForm.composed($0) }
      .example(#"'e\u0301'"#, is: #"'\u00e9'"#),
    form("decomposedStringWithCanonicalMapping") { CanonicalForm.decomposed($0) }
      .example(#"'\u00e9'"#, is: #"'e\u0301'"#),
    form("stringByRemovingPercentEncoding", gives: .receiver.orNil) { PercentText.decoded($0) }
      .example("'a%20b'", is: "'a b'"),
  ]

  /// A method that gives the text in another form of about the same length.
  private static func form(
    _ selector: String,
    gives result: MethodResult = .receiver,
    _ converted: @escaping @Sendable (String) -> String?
  ) -> FoundationMethod {
    text(selector, gives: result) { text, call in
      // No form makes more than eighteen bytes of three.
      try call.take(6 * text.utf8.count)
      return converted(text).map { .text($0) } ?? .null
    }
  }

  /// The text with every occurrence of one replaced by another.
  @Sendable
  private static func replaced(
    _ text: String,
    _ call: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    let wanted = try call.text(0)
    let other = try call.text(1)
    try call.take(text.utf8.count)
    var result = String.UnicodeScalarView()
    let search = CanonicalSearch(wanted, call.memory.watch)
    var place = text.startIndex
    while let found = search.range(in: text, from: place) {
      try call.take(other.utf8.count)
      result.append(contentsOf: text.unicodeScalars[place..<found.lowerBound])
      result.append(contentsOf: other.unicodeScalars)
      place = found.upperBound
    }
    result.append(contentsOf: text.unicodeScalars[place...])
    return .text(String(result))
  }

  /// The text cut to a length, or filled up to it with another one, which begins at an index of its own.
  @Sendable
  private static func padded(
    _ text: String,
    _ call: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    let length = try call.integer(0)
    let units = call.units(of: text)
    let missing = length - Int64(units.count)
    guard length >= 0, missing > 0 else { return .text(try units.prefix(length)) }
    let pad = Array(try call.text(1).utf16)
    let start = try call.integer(2)
    guard start >= 0, start < Int64(pad.count) else {
      throw call.failure("asks for \(start) of a text of \(pad.count) code units")
    }
    // A code unit takes at most three bytes.
    let (bytes, overflow) = missing.multipliedReportingOverflow(by: 3)
    try call.take(overflow ? .max : Int(bytes) + text.utf8.count)
    let filling = (0..<Int(missing)).map { pad[(Int(start) + $0) % pad.count] }
    guard let filling = String(validating: filling, as: UTF16.self) else {
      throw call.failure(
        "cuts between the two code units of one character, and no store can hold half a character"
      )
    }
    return .text(text + filling)
  }
}

/// Texts in which `%` and two hexadecimal digits stand for a byte of UTF-8.
enum PercentText {
  /// The decoded text; `nil` if a `%` is not followed by two digits, or if the bytes are not UTF-8.
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
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }
}
