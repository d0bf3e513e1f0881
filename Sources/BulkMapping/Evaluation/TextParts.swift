internal import BulkSupport

extension FunctionArguments {
  /// The parts between occurrences of the first argument, compared by code unit; an empty one does not occur.
  func partsBetweenTexts(of text: String) throws(EvaluationFailure) -> EvaluatedValue {
    let bytes = Array(text.utf8)
    let separator = Array(try self.text().utf8)
    var parts: [EvaluatedValue] = []
    var start = 0
    while let end = bytes.index(of: separator, from: start, memory.watch),
      !memory.watch.isStopped(after: separator.count)
    {
      parts.append(.text(String(decoding: bytes[start..<end], as: UTF8.self)))
      start = end + separator.count
      try reserve(parts.count * MethodMemory.elementSize)
    }
    parts.append(.text(String(decoding: bytes[start...], as: UTF8.self)))
    return .collection(ValueCollection(.array, parts))
  }

  /// The parts between characters of the set.
  func partsBetweenCharacters(of text: String) throws(EvaluationFailure) -> EvaluatedValue {
    let scalars = text.unicodeScalars
    try reserve(scalars.count(where: isInSet) * MethodMemory.elementSize)
    let parts = scalars.split(omittingEmptySubsequences: false, whereSeparator: isInSet)
    return .collection(ValueCollection(.array, parts.map { .text(String($0)) }))
  }

  /// The text without characters of the set at its ends.
  func trimmed(_ text: String) -> EvaluatedValue {
    let scalars = text.unicodeScalars
    guard let start = scalars.firstIndex(where: { !isInSet($0) }),
      let last = scalars.lastIndex(where: { !isInSet($0) })
    else { return .text("") }
    return .text(String(scalars[start...last]))
  }

  private func isInSet(_ scalar: Unicode.Scalar) -> Bool { characters?.contains(scalar) == true }

  /// The part of a text between two UTF-16 code units, in which `NSString` counts; `nil` stands for the end.
  ///
  /// No part may begin or end within a surrogate pair: `NSString` would hold half a character, which no store can.
  func part(
    of text: String,
    from start: Int64,
    to end: Int64?
  ) throws(EvaluationFailure) -> EvaluatedValue {
    let start = try index(start, in: text)
    let end = try end.map { end throws(EvaluationFailure) in try index(end, in: text) }
    return .text(String(text.unicodeScalars[start..<(end ?? text.endIndex)]))
  }

  /// The part of a text in a range `{location, length}`.
  func part(inRangeOf text: String) throws(EvaluationFailure) -> EvaluatedValue {
    let (location, length) = try read(.range, Self.range)
    let count = Int64(text.utf16.count)
    guard location >= 0, length >= 0, location <= count, length <= count - location else {
      throw failure("takes a range within 0 ..< \(count), not {\(location), \(length)}")
    }
    return try part(of: text, from: location, to: location + length)
  }

  private static func range(_ value: EvaluatedValue) -> (location: Int64, length: Int64)? {
    guard let elements = value.collection?.elements, elements.count == 2,
      case .integer(let location)? = elements[0].number,
      case .integer(let length)? = elements[1].number
    else { return nil }
    return (location, length)
  }

  private func index(_ offset: Int64, in text: String) throws(EvaluationFailure) -> String.Index {
    let units = text.utf16
    guard
      offset >= 0, let distance = Int(exactly: offset),
      let index = units.index(units.startIndex, offsetBy: distance, limitedBy: units.endIndex)
    else { throw failure("asks for \(offset) of a text of \(units.count) code units") }
    guard let aligned = index.samePosition(in: text.unicodeScalars) else {
      throw failure(
        "cuts at \(offset), between the two code units of one character, and no store can hold half "
          + "a character"
      )
    }
    return aligned
  }
}

/// Capitalizes the words of texts by Unicode's rules, independent of locale.
enum TitleCase {
  /// The text with the first character of every word in title case, and all others in lower case.
  ///
  /// A word begins behind every character that is neither cased nor case-ignorable. Source: `CFStringCapitalize` of
  /// CoreFoundation.
  static func text(_ text: String) -> String {
    // The whole text decides which sigma is final.
    var lower = LowerCase.text(text).unicodeScalars[...]
    var result = String.UnicodeScalarView()
    var isInWord = false
    for properties in text.unicodeScalars.lazy.map(\.properties) {
      let mapped = lower.prefix(properties.lowercaseMapping.unicodeScalars.count)
      lower = lower[mapped.endIndex...]
      let title = properties.titlecaseMapping.unicodeScalars[...]
      result.append(contentsOf: isInWord ? mapped : title)
      if !properties.isCaseIgnorable { isInWord = properties.isCased }
    }
    return String(result)
  }
}
