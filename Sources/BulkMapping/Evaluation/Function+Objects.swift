internal import BulkModel
internal import BulkSupport

extension Function {
  private static let number = Receiver(parameter: .number, value: \.number)

  static let numberMethods: [Function] = [
    number("stringValue", gives: \.text) { number, _ in .text(number.text) }
      .example(of: "1.5", is: "'1.5'"),
    number("boolValue", gives: \.flag) { number, _ in .boolean(!number.isZero) }
      .example(of: "2", is: "TRUE"),
    whole("intValue", .int32),
    whole("integerValue", .int64),
    whole("longLongValue", .int64),
    number("floatValue", gives: \.real) { number, _ in .double(Double(Float(number.double))) }
      .example(of: "0.1", is: "0.10000000149011612"),
    number("doubleValue", gives: \.real) { number, _ in .double(number.double) }
      .example(of: "2", is: "2.0"),
    number("isEqualToNumber:", .any, gives: \.flag) { $1.isFirstEqual(to: .attribute($0.value)) }
      .example(of: "2", "2.0", is: "TRUE"),
    number("compare:", .number, gives: \.order) { .order($0.compare(try $1.number())) }
      .example(of: "2", "1.5", is: "1"),
  ]

  /// A method that gives the number without its fraction, within a range.
  private static func whole(_ selector: String, _ range: ClosedRange<Int64>) -> Function {
    number(selector, gives: { $0.answer(.integer(range)).orFailure }) { number, call in
      guard let whole = number.integer, range.contains(whole) else {
        throw call.failure(
          "gives \(range.lowerBound) to \(range.upperBound), and \(number.text) is outside"
        )
      }
      return .integer(whole)
    }.example(of: "-1.5", is: "-1")
  }
}

extension Function {
  private static let date = Receiver(parameter: .date, value: \.date)

  /// The seconds from 1970-01-01 to 2001-01-01.
  static let secondsOf2001 = 978_307_200.0

  static let dateMethods: [Function] = [
    date("dateByAddingTimeInterval:", .number, gives: \.receiver.orNil) { seconds, call in
      let sum = seconds + (try call.number().double)
      return sum.isNaN ? .null : .attribute(.date(sum))
    }.example(of: day(0), "60", is: day(60)),
    date("timeIntervalSinceDate:", .date, gives: \.real.orNil) { .double($0 - (try $1.date())) }
      .example(of: day(60), day(0), is: "60.0"),
    date("timeIntervalSinceReferenceDate", gives: \.real) { seconds, _ in
      .attribute(.double(seconds))
    }.example(of: day(60), is: "60.0"),
    date("timeIntervalSince1970", gives: \.real) { seconds, _ in
      .attribute(.double(seconds + secondsOf2001))
    }.example(of: day(0), is: "978307200.0"),
    date("isEqualToDate:", .any, gives: \.flag) { $1.isFirstEqual(to: .attribute(.date($0))) }
      .example(of: day(60), day(60), is: "TRUE"),
    date("compare:", .date, gives: \.order) {
      .order(Number.double($0).compare(.double(try $1.date())))
    }.example(of: day(60), day(0), is: "1"),
  ]

  /// The expression of a date by its seconds since 2001.
  private static func day(_ seconds: Int) -> String { "CAST(\(seconds), 'NSDate')" }
}

extension Function {
  private static let bytes = Receiver<[UInt8]>(
    parameter: .binary,
    value: { if case .attribute(.binary(let bytes)) = $0 { bytes } else { nil } }
  )
  private static let uuid = Receiver<UUID>(
    parameter: .uuid,
    value: { if case .attribute(.uuid(let uuid)) = $0 { uuid } else { nil } }
  )
  private static let uri = Receiver<String>(
    parameter: .uri,
    value: { if case .attribute(.uri(let text)) = $0 { text } else { nil } }
  )
  private static let described = Receiver<String>(
    parameter: .described,
    value: { if case .attribute(let value) = $0 { CastText.text(of: value) } else { nil } }
  )
  private static let any = Receiver<EvaluatedValue>(parameter: .any, value: { $0 })

  /// The path of a URI without escapes; nil of what is not a URI, or has no path behind its scheme, as `mailto:a@b`.
  private static func path(_ uri: String) -> AttributeValue {
    guard let url = URL(string: uri), url.scheme == nil || [nil, "/"].contains(url.path.first)
    else { return .null }
    return .string(url.path)
  }

  static let dataMethods: [Function] = [
    bytes("length", gives: \.count) { bytes, _ in .integer(Int64(bytes.count)) }
      .example(of: "CAST('QWJj', 'NSData')", is: "3"),
    bytes("base64EncodedStringWithOptions:", .integer, gives: \.text.orFailure) { bytes, call in
      let options = try call.integer()
      guard options == 0 else {
        throw call.failure("knows no options but 0, and not \(options)")
      }
      return .text(Data(bytes).base64EncodedString())
    }.example(of: "CAST('QWJj', 'NSData')", "0", is: "'QWJj'"),
  ]

  static let objectMethods: [Function] = [
    any("isEqual:", .any, gives: \.flag) { $1.isFirstEqual(to: $0) }
      .example(of: "1", "'1'", is: "FALSE"),
    described("description", gives: \.text) { text, _ in .text(text) }
      .example(of: "CAST(0, 'NSDate')", is: "'2001-01-01 00:00:00 +0000'"),
    uuid("UUIDString", gives: \.text) { uuid, _ in .text(uuid.uuidString) }.example(
      of: "CAST('E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'NSUUID')",
      is: "'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'"
    ),
    uri("absoluteString", gives: \.text) { text, _ in .text(text) }
      .example(of: "CAST('https://a.example', 'NSURL')", is: "'https://a.example'"),
    uri("URIRepresentation", gives: \.receiver) { text, _ in .attribute(.uri(text)) }
      .example(of: "CAST('x:/a', 'NSURL')", is: "CAST('x:/a', 'NSURL')"),
    uri("path", gives: \.text.orNil) { text, _ in .attribute(path(text)) }
      .example(of: "CAST('https://a.example/b/c%20d', 'NSURL')", is: "'/b/c d'"),
    uri("lastPathComponent", gives: \.text.orNil) { text, _ in
      guard case .string(let path) = path(text) else { return .null }
      return .text(path.split(separator: "/").last.map(String.init) ?? path)
    }.example(of: "CAST('https://a.example/b/c', 'NSURL')", is: "'c'"),
  ]
}

extension Function {
  private static let collection = Receiver(parameter: .collection, value: \.collection)

  static let collectionMethods: [Function] = [
    collection("count", gives: \.count) { collection, _ in
      .integer(Int64(collection.elements.count))
    }.example(of: "{5, 5, 6}", is: "3"),
    collection("containsObject:", .any, gives: \.flag) { collection, call in
      .boolean(collection.elements.contains { $0.isEqual(to: call.first) })
    }.example(of: "{5, 6}", "6", is: "TRUE"),
    collection("allObjects", gives: \.receiver) { collection, _ in .array(collection.elements) }
      .example(of: "{5, 5, 6}", is: "{5, 5, 6}"),
    collection("array", gives: \.receiver) { collection, _ in .array(collection.elements) }
      .example(of: "{5, 5, 6}", is: "{5, 5, 6}"),
    collection("set", gives: \.receiver) { collection, _ in
      .collection(ValueCollection(.set, collection.elements))
    }.example(of: "{5, 5, 6}", is: "{5, 6} UNION {}"),
    collection("anyObject", gives: \.receiverElement.orNil, first)
      .example(of: "{5, 6}", is: "5"),
    collection("firstObject", gives: \.receiverElement.orNil, first)
      .example(of: "{5, 6}", is: "5"),
    collection("lastObject", gives: \.receiverElement.orNil) { collection, _ in
      collection.elements.last ?? .null
    }.example(of: "{5, 6}", is: "6"),
    collection("objectAtIndex:", .integer, gives: \.receiverElement.orFailure) {
      try indexed(.collection($0), $1.first)
    }.example(of: "{5, 6}", "1", is: "6"),
    collection("indexOfObject:", .any, gives: \.count) { collection, call in
      let index = collection.elements.firstIndex { $0.isEqual(to: call.first) }
      return .integer(index.map { Int64($0) } ?? .max)
    }.example(of: "{5, 6}", "6", is: "1"),
    collection("arrayByAddingObject:", .any, gives: \.joint.orFailure) { collection, call in
      guard !call.first.isNull else { throw call.failure("takes a value, not nil") }
      return .array(collection.elements + [call.first])
    }.example(of: "{5}", "6", is: "{5, 6}"),
    collection("arrayByAddingObjectsFromArray:", .collection, gives: \.joint) {
      .array($0.elements + (try $1.collection().elements))
    }.example(of: "{5}", "{6}", is: "{5, 6}"),
    collection("sortedArrayUsingSelector:", .selector, gives: \.receiver.orFailure) {
      .array(try $1.sorted($0.elements))
    }.example(of: "{6, 5}", "'compare:'", is: "{5, 6}"),
    collection("componentsJoinedByString:", .text, gives: \.text.orFailure, joined)
      .example(of: "{'a', 'b'}", "', '", is: "'a, b'"),
  ]

  @Sendable
  private static func first(_ collection: ValueCollection, _: FunctionArguments) -> EvaluatedValue {
    collection.elements.first ?? .null
  }

  /// The descriptions of the elements with a text between them.
  @Sendable
  private static func joined(
    _ collection: ValueCollection,
    _ call: FunctionArguments
  ) throws(EvaluationFailure) -> EvaluatedValue {
    let separator = try call.text()
    var result = ""
    for (index, element) in collection.elements.enumerated() {
      guard case .attribute(let value) = element, let text = CastText.text(of: value) else {
        throw call.failure("takes values, not \(element.kind)")
      }
      if index > 0 { result += separator }
      result += text
      try call.reserve(result.utf8.count + separator.utf8.count)
    }
    return .text(result)
  }
}

extension EvaluatedValue {
  fileprivate static func array(_ elements: [EvaluatedValue]) -> EvaluatedValue {
    .collection(ValueCollection(.array, elements))
  }
}

extension FunctionArguments {
  /// Texts, numbers or dates in the order that the first argument names, as `sortedArrayUsingSelector:` sorts them; equal
  /// ones keep their order.
  fileprivate func sorted(
    _ elements: [EvaluatedValue]
  ) throws(EvaluationFailure) -> [EvaluatedValue] {
    let name = try text()
    guard let order = TextOrder(rawValue: name) else {
      throw failure("takes \(Parameter.selector.expected), not \(name)")
    }
    let found =
      Self.sorted(elements, by: { $0.string.map(order.key) }, { $0.lexicographicallyPrecedes($1) })
      ?? (order == .caseInsensitive
        ? nil
        : Self.sorted(elements, by: \.number) { $0.compare($1) == .orderedAscending }
          ?? Self.sorted(elements, by: \.date, <))
    if let found { return found }
    let kinds = Set(elements.map(\.kind)).sorted().joined(separator: ", ")
    throw failure("by \(name) cannot order \(kinds)")
  }

  /// The elements in the order of their keys; `nil` if one has no key.
  private static func sorted<Key>(
    _ elements: [EvaluatedValue],
    by key: (EvaluatedValue) -> Key?,
    _ precedes: (Key, Key) -> Bool
  ) -> [EvaluatedValue]? {
    var keys: [Key] = []
    for element in elements {
      guard let key = key(element) else { return nil }
      keys.append(key)
    }
    // The standard library's sort is stable, but does not promise to be.
    return elements.indices.sorted { first, second in
      if precedes(keys[first], keys[second]) { return true }
      return !precedes(keys[second], keys[first]) && first < second
    }.map { elements[$0] }
  }
}
