internal import BulkModel
internal import BulkPlatform

/// The methods of `NSObject`, `NSUUID` and `NSURL` that give a text or compare.
extension FoundationMethod {
  private static let any = ReceiverClass<EvaluatedValue>(
    isReceived: { $0 != .composite },
    receiver: { $0 }
  )
  private static let described = ReceiverClass<String>(
    isReceived: { CastType.string.certainty(of: $0) != nil },
    receiver: { if case .attribute(let value) = $0 { CastText.text(of: value) } else { nil } }
  )
  private static let uuid = ReceiverClass<UUID>(
    isReceived: { $0 == .uuid },
    receiver: { if case .attribute(.uuid(let uuid)) = $0 { uuid } else { nil } }
  )
  private static let uri = ReceiverClass<String>(
    isReceived: { $0 == .uri },
    receiver: { if case .attribute(.uri(let text)) = $0 { text } else { nil } }
  )

  static let objects: [ExampleRow<FoundationMethod>] = [
    any("isEqual:", .any, gives: .boolean) { $1.isFirstEqual(to: $0) }
      .example("1", "'1'", is: "FALSE"),
    described("description", gives: .text) { text, _ in .text(text) }
      .example("CAST(0, 'NSDate')", is: "'2001-01-01 00:00:00 +0000'"),
    uuid("UUIDString", gives: .text) { uuid, _ in .text(uuid.uuidString) }.example(
      "CAST('E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'NSUUID')",
      is: "'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'"
    ),
    uri("absoluteString", gives: .text) { text, _ in .text(text) }
      .example("CAST('https://a.example', 'NSURL')", is: "'https://a.example'"),
  ]
}

/// The methods of `NSData`.
extension FoundationMethod {
  private static let bytes = ReceiverClass<[UInt8]>(
    isReceived: { $0 == .binary },
    receiver: { if case .attribute(.binary(let bytes)) = $0 { bytes } else { nil } }
  )

  static let data: [ExampleRow<FoundationMethod>] = [
    bytes("length", gives: .count) { bytes, _ in .integer(Int64(bytes.count)) }
      .example("CAST('QWJj', 'NSData')", is: "3"),
    bytes("subdataWithRange:", .range, gives: .receiver.orFailure) { bytes, call in
      let bounds = try call.range(0).bounds(within: bytes.count, call.selector)
      try call.take(bounds.count)
      return .attribute(.binary(Array(bytes[bounds])))
    }.example("CAST('QWJj', 'NSData')", "{1, 2}", is: "CAST('YmM=', 'NSData')"),
    bytes("base64EncodedStringWithOptions:", .integer, gives: .text.orFailure) { bytes, call in
      let options = try call.integer(0)
      guard options == 0 else {
        throw call.failure("knows no options but 0, and not \(options)")
      }
      try call.take(bytes.count / 3 * 4 + 4)
      return .text(Data(bytes).base64EncodedString())
    }.example("CAST('QWJj', 'NSData')", "0", is: "'QWJj'"),
    bytes("isEqualToData:", .any, gives: .boolean) {
      $1.isFirstEqual(to: .attribute(.binary($0)))
    }.example("CAST('QWJj', 'NSData')", "CAST('QWJj', 'NSData')", is: "TRUE"),
  ]
}

/// The methods of `NSDate`.
extension FoundationMethod {
  static let date = ReceiverClass<Double>(
    isReceived: { $0 == .date },
    receiver: { if case .attribute(.date(let seconds)) = $0 { seconds } else { nil } }
  )

  /// The seconds from 1970-01-01 to 2001-01-01.
  static let secondsOf2001 = 978_307_200.0

  static let dates: [ExampleRow<FoundationMethod>] = [
    date("dateByAddingTimeInterval:", .number, gives: .receiver.orNil) { seconds, call in
      let sum = seconds + (try call.number(0).double)
      return sum.isNaN ? .null : .attribute(.date(sum))
    }.example(day(0), "60", is: day(60)),
    date("timeIntervalSinceDate:", .date, gives: .double.orNil) { .double($0 - (try $1.date(0))) }
      .example(day(60), day(0), is: "60.0"),
    date("timeIntervalSinceReferenceDate", gives: .double) { seconds, _ in
      .attribute(.double(seconds))
    }.example(day(60), is: "60.0"),
    date("timeIntervalSince1970", gives: .double) { seconds, _ in
      .attribute(.double(seconds + secondsOf2001))
    }.example(day(0), is: "978307200.0"),
    date("timeIntervalSinceNow", gives: .double.orNil) { .double($0 - $1.now) }
      .example("now()", is: "0.0"),
    date("earlierDate:", .date, gives: .receiver) { .attribute(.date(min($0, try $1.date(0)))) }
      .example(day(60), day(0), is: day(0)),
    date("laterDate:", .date, gives: .receiver) { .attribute(.date(max($0, try $1.date(0)))) }
      .example(day(60), day(0), is: day(60)),
    date("isEqualToDate:", .any, gives: .boolean) { $1.isFirstEqual(to: .attribute(.date($0))) }
      .example(day(60), day(60), is: "TRUE"),
    date("compare:", .date, gives: .order) { seconds, call in
      .order(Number.double(seconds).compare(.double(try call.date(0))))
    }.example(day(60), day(0), is: "1"),
  ]

  /// The expression of a date by its seconds since 2001.
  private static func day(_ seconds: Int) -> String { "CAST(\(seconds), 'NSDate')" }
}
