internal import BulkCoding

/// Divides a text at separators, and cuts characters from its ends.
struct TextParts {
  private let text: String
  private let arguments: MethodArguments

  init(_ text: String, _ arguments: MethodArguments) {
    self.text = text
    self.arguments = arguments
  }

  /// The parts between the places where a separator stands, code unit by code unit; an empty separator
  /// stands nowhere.
  func separated(by separator: String) throws(EvaluationFailure) -> ValueCollection {
    let bytes = Array(text.utf8)
    let wanted = Array(separator.utf8)
    try arguments.memory.take(bytes.count, arguments.selector)
    return try collection(bytes, cuts: cuts(bytes, at: wanted))
  }

  /// The places of the separator, from left to right, without overlaps.
  private func cuts(_ bytes: [UInt8], at wanted: [UInt8]) throws(EvaluationFailure) -> [Range<Int>]
  {
    guard let first = wanted.first, wanted.count <= bytes.count else { return [] }
    var cuts: [Range<Int>] = []
    var place = 0
    while place <= bytes.count - wanted.count {
      guard bytes[place] == first else {
        place += 1
        continue
      }
      var same = 1
      while same < wanted.count, bytes[place + same] == wanted[same] { same += 1 }
      if arguments.memory.watch.isStopped(after: same) { break }
      guard same == wanted.count else {
        place += 1
        continue
      }
      try arguments.memory.takeElements(1, arguments.selector)
      cuts.append(place..<place + same)
      place += same
    }
    return cuts
  }

  /// The parts between characters of the set.
  func separated() throws(EvaluationFailure) -> ValueCollection {
    guard let characters = arguments.characters else { return ValueCollection(.array, []) }
    let bytes = Array(text.utf8)
    try arguments.memory.take(bytes.count, arguments.selector)
    var cuts: [Range<Int>] = []
    var place = 0
    for scalar in text.unicodeScalars {
      let end = place + UTF8.width(scalar)
      if characters.contains(scalar) {
        try arguments.memory.takeElements(1, arguments.selector)
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
