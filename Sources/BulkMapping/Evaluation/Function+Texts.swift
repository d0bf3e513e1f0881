internal import BulkSupport
internal import BulkModel

extension Function {
  static let text = Receiver(parameter: .text, value: \.string)

  static let textMethods: [Function] = [
    text("stringByAppendingString:", .text, gives: \.receiver) { .text($0 + (try $1.text())) }
      .example(of: "'Ab'", "'c'", is: "'Abc'"),
    text("substringFromIndex:", .integer, gives: \.receiver.orFailure) {
      try $1.part(of: $0, from: try $1.integer(), to: nil)
    }.example(of: "'Abc'", "1", is: "'bc'"),
    text("substringToIndex:", .integer, gives: \.receiver.orFailure) {
      try $1.part(of: $0, from: 0, to: try $1.integer())
    }.example(of: "'Abc'", "1", is: "'A'"),
    text("substringWithRange:", .range, gives: \.receiver.orFailure) {
      try $1.part(inRangeOf: $0)
    }.example(of: "'Abcd'", "{1, 2}", is: "'bc'"),
    text("componentsSeparatedByString:", .text, gives: \.texts) {
      try $1.partsBetweenTexts(of: $0)
    }.example(of: "'a, b'", "', '", is: "{'a', 'b'}"),
    text("componentsSeparatedByCharactersInSet:", .characters, gives: \.texts) {
      try $1.partsBetweenCharacters(of: $0)
    }.example(of: "'a-b_c'", CharacterSetConstant.expression("punctuation"), is: "{'a', 'b', 'c'}"),
    text(
      "stringByReplacingOccurrencesOfString:withString:",
      .text,
      .text,
      gives: \.receiver,
      replaced
    ).example(of: "'a.b.c'", "'.', '-'", is: "'a-b-c'"),
    text("stringByTrimmingCharactersInSet:", .characters, gives: \.receiver) { $1.trimmed($0) }
      .example(of: "' a b '", CharacterSetConstant.expression("whitespace"), is: "'a b'"),
    text("uppercaseString", gives: \.receiver) { text, _ in .text(text.uppercased()) }
      .example(of: "'Abc'", is: "'ABC'"),
    text("lowercaseString", gives: \.receiver) { text, _ in .text(LowerCase.text(text)) }
      .example(of: "'Abc'", is: "'abc'"),
    text("capitalizedString", gives: \.receiver) { text, _ in .text(TitleCase.text(text)) }
      .example(of: "'ab cd-EF'", is: "'Ab Cd-Ef'"),
    text("length", gives: \.count) { text, _ in .integer(Int64(text.utf16.count)) }
      .example(of: "'Abc'", is: "3"),
    text("hasPrefix:", .text, gives: \.flag) { .boolean(try search($1).begins($0)) }
      .example(of: "'Abc'", "'A'", is: "TRUE"),
    text("hasSuffix:", .text, gives: \.flag) { .boolean(try search($1).ends($0)) }
      .example(of: "'Abc'", "'bc'", is: "TRUE"),
    text("containsString:", .text, gives: \.flag) {
      .boolean(try search($1).range(in: $0) != nil)
    }.example(of: "'Abc'", "'b'", is: "TRUE"),
    text("rangeOfString:", .text, gives: { $0.answer(.collection(of: .count)) }, find)
      .example(of: "'Abcd'", "'bc'", is: "{1, 2}"),
    text("isEqualToString:", .any, gives: \.flag) { $1.isFirstEqual(to: .text($0)) }
      .example(of: "'Abc'", "'Abc'", is: "TRUE"),
    text("compare:", .text, gives: \.order) {
      .order(TextOrder.exact.compare($0, try $1.text()))
    }.example(of: "'Abc'", "'Abd'", is: "-1"),
    text("caseInsensitiveCompare:", .text, gives: \.order) {
      .order(TextOrder.caseInsensitive.compare($0, try $1.text()))
    }.example(of: "'Abc'", "'ABC'", is: "0"),
    text("intValue", gives: { $0.answer(.integer(.int32)) }) { text, _ in
      .integer(WrittenNumber(text).integer.clamped(to: .int32))
    }.example(of: "'12 m'", is: "12"),
    whole("integerValue"),
    whole("longLongValue"),
    text("doubleValue", gives: \.real) { text, _ in .double(WrittenNumber(text).double) }
      .example(of: "'1.5 m'", is: "1.5"),
    text("floatValue", gives: \.real) { text, _ in
      .double(Double(Float(WrittenNumber(text).double)))
    }.example(of: "'1.5 m'", is: "1.5"),
    text("boolValue", gives: \.flag) { text, _ in .boolean(WrittenNumber(text).isTrue) }
      .example(of: "'Yes'", is: "TRUE"),
    text("dataUsingEncoding:", .integer, gives: \.binary.orFailure) { text, call in
      let encoding = try call.integer()
      // `NSUTF8StringEncoding`.
      guard encoding == 4 else {
        throw call.failure("knows 4, NSUTF8StringEncoding, and not \(encoding)")
      }
      return .attribute(.binary(Array(text.utf8)))
    }.example(of: "'Abc'", "4", is: "CAST('QWJj', 'NSData')"),
  ]

  private static func whole(_ selector: String) -> Function {
    text(selector, gives: { $0.answer(.integer(.int64)) }) { text, _ in
      .integer(WrittenNumber(text).integer)
    }.example(of: "'12 m'", is: "12")
  }

  private static func search(_ call: FunctionArguments) throws(EvaluationFailure) -> CanonicalSearch
  {
    CanonicalSearch(try call.text(), call.memory.watch)
  }

  /// The location and length of the first occurrence; `NSNotFound` and 0 if there is none.
  @Sendable
  private static func find(
    in text: String,
    _ call: FunctionArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    let found = try search(call).range(in: text)
    let start = found.map { text.utf16.distance(from: text.startIndex, to: $0.lowerBound) }
    let length = found.map { text.utf16.distance(from: $0.lowerBound, to: $0.upperBound) }
    let numbers = [start ?? .max, length ?? 0].map { EvaluatedValue.integer(Int64($0)) }
    return .collection(ValueCollection(.array, numbers))
  }

  /// The text with every occurrence of one replaced by another.
  @Sendable
  private static func replaced(
    _ text: String,
    _ call: FunctionArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    let search = try search(call)
    guard let other = call.second.string else {
      throw call.failure("takes \(Parameter.text.expected), not \(call.second.kind)")
    }
    var result = String.UnicodeScalarView()
    var bytes = text.utf8.count
    var start = text.startIndex
    while let found = search.range(in: text, from: start) {
      bytes += other.utf8.count
      try call.reserve(bytes)
      result.append(contentsOf: text.unicodeScalars[start..<found.lowerBound])
      result.append(contentsOf: other.unicodeScalars)
      start = found.upperBound
    }
    result.append(contentsOf: text.unicodeScalars[start...])
    return .text(String(result))
  }
}

extension Int64 {
  fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
