internal import BulkModel

/// The methods of `NSString` that return something about a text.
extension FoundationMethod {
  static let textQueries: [ExampleRow<FoundationMethod>] = [
    text("length", gives: .count) { text, _ in .integer(Int64(text.utf16.count)) }
      .example("'Abc'", is: "3"),
    text("characterAtIndex:", .integer, gives: .integer(0...0xFFFF).orFailure) { text, call in
      .integer(Int64(try call.units(of: text).unit(at: try call.integer(0))))
    }.example("'Abc'", "0", is: "65"),
    text("hasPrefix:", .text, gives: .boolean) { .boolean(try $1.search().begins($0)) }
      .example("'Abc'", "'A'", is: "TRUE"),
    text("hasSuffix:", .text, gives: .boolean) { .boolean(try $1.search().ends($0)) }
      .example("'Abc'", "'bc'", is: "TRUE"),
    text("containsString:", .text, gives: .boolean) { text, call in
      .boolean(try call.search().range(in: text, from: text.startIndex) != nil)
    }.example("'Abc'", "'b'", is: "TRUE"),
    text("rangeOfString:", .text, gives: .type(.collection(of: .count)), range)
      .example("'Abcd'", "'bc'", is: "{1, 2}"),
    text("isEqualToString:", .any, gives: .boolean) { $1.isFirstEqual(to: .text($0)) }
      .example("'Abc'", "'Abc'", is: "TRUE"),
    text("compare:", .text, gives: .order) { text, call in
      .order(TextOrder(.compare).compare(text, try call.text(0)))
    }.example("'Abc'", "'Abd'", is: "-1"),
    text("caseInsensitiveCompare:", .text, gives: .order) { text, call in
      .order(TextOrder(.caseInsensitive).compare(text, try call.text(0)))
    }.example("'Abc'", "'ABC'", is: "0"),
    text("intValue", gives: .integer(.int32)) { text, _ in
      let number = WrittenNumber(text).integer
      return .integer(min(max(number, Int64(Int32.min)), Int64(Int32.max)))
    }.example("'12 m'", is: "12"),
    text("integerValue", gives: .integer(.int64)) { text, _ in
      .integer(WrittenNumber(text).integer)
    }.example("'12 m'", is: "12"),
    text("longLongValue", gives: .integer(.int64)) { text, _ in
      .integer(WrittenNumber(text).integer)
    }.example("'12 m'", is: "12"),
    text("doubleValue", gives: .double) { text, _ in .double(WrittenNumber(text).double) }
      .example("'1.5 m'", is: "1.5"),
    text("floatValue", gives: .double) { text, _ in
      .double(Double(Float(WrittenNumber(text).double)))
    }.example("'1.5 m'", is: "1.5"),
    text("boolValue", gives: .boolean) { text, _ in .boolean(WrittenNumber(text).isTrue) }
      .example("'Yes'", is: "TRUE"),
    text("dataUsingEncoding:", .integer, gives: .type(.binary).orFailure) { text, call in
      let encoding = try call.integer(0)
      guard encoding == utf8 else {
        throw call.failure("knows 4, NSUTF8StringEncoding, and not \(encoding)")
      }
      try call.take(text.utf8.count)
      return .attribute(.binary(Array(text.utf8)))
    }.example("'Abc'", "4", is: "CAST('QWJj', 'NSData')"),
  ]

  /// `NSUTF8StringEncoding`.
  private static let utf8: Int64 = 4

  /// The location and length of the first occurrence; `NSNotFound` and 0 if there is none.
  @Sendable
  private static func range(
    in text: String,
    _ call: MethodArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    guard let found = try call.search().range(in: text, from: text.startIndex) else {
      return .collection(ValueCollection(.array, [.integer(.max), .integer(0)]))
    }
    let units = call.units(of: text)
    let start = units.offset(of: found.lowerBound)
    let length = units.offset(of: found.upperBound) - start
    return .collection(ValueCollection(.array, [.integer(start), .integer(length)]))
  }
}

extension MethodArguments {
  /// A search for the first argument.
  fileprivate func search() throws(EvaluationFailure) -> CanonicalSearch {
    CanonicalSearch(try text(0), memory.watch)
  }
}
