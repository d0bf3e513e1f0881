internal import BulkCoding

/// Divides a text at separators, and cuts characters from its ends.
struct TextParts {
  let text: String
  let arguments: MethodArguments

  /// The parts between occurrences of a separator, compared by code unit; an empty separator does
  /// not occur.
  func separated(by separator: String) throws(EvaluationFailure) -> ValueCollection {
    let bytes = Array(text.utf8)
    let wanted = Array(separator.utf8)
    try arguments.take(bytes.count)
    return try collection(bytes, cuts: cuts(bytes, at: wanted))
  }

  /// The occurrences of the separator, from left to right, without overlaps.
  private func cuts(_ bytes: [UInt8], at wanted: [UInt8]) throws(EvaluationFailure) -> [Range<Int>]
  {
    let watch = arguments.memory.watch
    var cuts: [Range<Int>] = []
    var start = 0
    while let place = bytes.place(of: wanted, from: start, watch),
      !watch.isStopped(after: wanted.count)
    {
      try arguments.takeElements(1)
      start = place + wanted.count
      cuts.append(place..<start)
    }
    return cuts
  }

  /// The parts between characters of the set.
  func separated() throws(EvaluationFailure) -> ValueCollection {
    guard let characters = arguments.characters else { return ValueCollection(.array, []) }
    let bytes = Array(text.utf8)
    try arguments.take(bytes.count)
    var cuts: [Range<Int>] = []
    var place = 0
    for scalar in text.unicodeScalars {
      let end = place + UTF8.width(scalar)
      if characters.contains(scalar) {
        try arguments.takeElements(1)
        cuts.append(place..<end)
      }
      place = end
    }
    return collection(bytes, cuts: cuts)
  }

  private func collection(_ bytes: [UInt8], cuts: [Range<Int>]) -> ValueCollection {
    var parts: [EvaluatedValue] = []
    parts.reserveCapacity(cuts.count + 1)
    var start = 0
    for cut in cuts {
      parts.append(.text(String(decoding: bytes[start..<cut.lowerBound], as: UTF8.self)))
      start = cut.upperBound
    }
    parts.append(.text(String(decoding: bytes[start...], as: UTF8.self)))
    return ValueCollection(.array, parts)
  }

  /// The text without characters of the set at its ends.
  func trimmed() -> String {
    guard let characters = arguments.characters else { return text }
    let scalars = text.unicodeScalars
    guard let start = scalars.firstIndex(where: { !characters.contains($0) }),
      let last = scalars.lastIndex(where: { !characters.contains($0) })
    else { return "" }
    return String(scalars[start...last])
  }
}

/// Parts of texts by UTF-16 code units, in which `NSString` counts.
///
/// No result may begin or end within a surrogate pair: `NSString` would hold half a character, which no
/// store can.
struct TextUnits {
  let text: String
  let selector: String

  /// The number of code units.
  var count: Int { text.utf16.count }

  /// The text before an index.
  func prefix(_ end: Int64) throws(EvaluationFailure) -> String {
    String(text.unicodeScalars[..<(try index(end))])
  }

  /// The text from an index.
  func suffix(_ start: Int64) throws(EvaluationFailure) -> String {
    String(text.unicodeScalars[(try index(start))...])
  }

  /// The text in a range.
  func part(_ range: UnitRange) throws(EvaluationFailure) -> String {
    String(text.unicodeScalars[try indexes(range)])
  }

  /// The text with another one in place of a range.
  func replacing(_ range: UnitRange, with other: String) throws(EvaluationFailure) -> String {
    let bounds = try indexes(range)
    var result = String.UnicodeScalarView(text.unicodeScalars[..<bounds.lowerBound])
    result.append(contentsOf: other.unicodeScalars)
    result.append(contentsOf: text.unicodeScalars[bounds.upperBound...])
    return String(result)
  }

  /// The code unit at an index.
  func unit(at place: Int64) throws(EvaluationFailure) -> UInt16 {
    let units = text.utf16
    guard
      place >= 0, let offset = Int(exactly: place),
      let index = units.index(units.startIndex, offsetBy: offset, limitedBy: units.endIndex),
      index < units.endIndex
    else { throw outside(place) }
    return units[index]
  }

  /// The offset of a place in code units.
  func offset(of index: String.Index) -> Int64 {
    Int64(text.utf16.distance(from: text.startIndex, to: index))
  }

  private func indexes(_ range: UnitRange) throws(EvaluationFailure) -> Range<String.Index> {
    let bounds = try range.bounds(within: count, selector)
    let start = try index(Int64(bounds.lowerBound))
    return start..<(try index(Int64(bounds.upperBound)))
  }

  private func index(_ place: Int64) throws(EvaluationFailure) -> String.Index {
    let units = text.utf16
    guard
      place >= 0, let offset = Int(exactly: place),
      let index = units.index(units.startIndex, offsetBy: offset, limitedBy: units.endIndex)
    else { throw outside(place) }
    guard let whole = index.samePosition(in: text.unicodeScalars) else {
      throw EvaluationFailure(
        "\(selector) cuts at \(place), between the two code units of one character, and no store "
          + "can hold half a character"
      )
    }
    return whole
  }

  private func outside(_ place: Int64) -> EvaluationFailure {
    EvaluationFailure("\(selector) asks for \(place) of a text of \(count) code units")
  }
}

/// Capitalizes the words of texts by Unicode's rules, independent of locale.
enum TitleCase {
  /// The text with the first character of every word in title case, and all others in lower case.
  ///
  /// Words have white space or line breaks between them, as Apple's reference of `capitalizedString` says.
  static func text(_ text: String) -> String {
    let spaces = CharacterSetConstant(.whitespaceAndNewline)
    var result = String.UnicodeScalarView()
    var word = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard spaces.contains(scalar) else {
        word.append(scalar)
        continue
      }
      append(&word, to: &result)
      result.append(scalar)
    }
    append(&word, to: &result)
    return String(result)
  }

  private static func append(
    _ word: inout String.UnicodeScalarView,
    to result: inout String.UnicodeScalarView
  ) {
    guard let first = word.first else { return }
    result.append(contentsOf: first.properties.titlecaseMapping.unicodeScalars)
    // The whole word decides which sigma is final.
    let lower = LowerCase.text(String(word)).unicodeScalars
    let dropped = first.properties.lowercaseMapping.unicodeScalars.count
    result.append(contentsOf: lower.dropFirst(dropped))
    word.removeAll()
  }
}
