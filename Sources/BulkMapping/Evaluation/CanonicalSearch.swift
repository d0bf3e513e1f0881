internal import BulkCoding

/// Finds a text in others as `NSString` does without options: composed and decomposed characters are equal,
/// and a match contains a character only with all marks behind it.
///
/// An empty text is found nowhere. Source: `rangeOfString:` and `NSLiteralSearch` in Apple's reference.
struct CanonicalSearch {
  private let wanted: [Unicode.Scalar]
  private let watch: WorkWatch

  init(_ wanted: String, _ watch: WorkWatch) {
    self.wanted = CanonicalText.decomposed(wanted[...].unicodeScalars)
    self.watch = watch
  }

  /// The first place in a text, from an index on.
  func range(in text: String, from start: String.Index) -> Range<String.Index>? {
    let scalars = text.unicodeScalars
    guard !wanted.isEmpty else { return nil }
    var place = start
    while place < scalars.endIndex, !watch.isStopped(after: 1) {
      if let end = end(of: scalars, from: place) { return place..<end }
      place = Self.next(place, in: scalars)
    }
    return nil
  }

  /// Whether a text begins with it.
  func begins(_ text: String) -> Bool {
    !wanted.isEmpty && end(of: text.unicodeScalars, from: text.startIndex) != nil
  }

  /// Whether a text ends with it.
  func ends(_ text: String) -> Bool {
    guard !wanted.isEmpty else { return false }
    let scalars = text.unicodeScalars
    var start = scalars.endIndex
    var rest = wanted[...]
    while let last = rest.last, start > scalars.startIndex {
      let end = start
      repeat {
        start = scalars.index(before: start)
      } while start > scalars.startIndex
        && Self.isMark(scalars[start])
      let parts = CanonicalText.decomposed(scalars[start..<end])
      guard parts.last == last, rest.count >= parts.count, rest.suffix(parts.count) == parts[...]
      else { return false }
      rest = rest.dropLast(parts.count)
    }
    return rest.isEmpty
  }

  /// The end of a match at a place; `nil` if there is none.
  private func end(
    of scalars: String.UnicodeScalarView,
    from start: String.Index
  ) -> String.Index? {
    guard start < scalars.endIndex else { return nil }
    // No scalar below U+00C0 has parts, so most places need no more than a look.
    if scalars[start].value < 0xC0, scalars[start] != wanted[0] { return nil }
    var place = start
    var rest = wanted[...]
    while !rest.isEmpty {
      guard place < scalars.endIndex else { return nil }
      let end = Self.next(place, in: scalars)
      let parts = CanonicalText.decomposed(scalars[place..<end])
      guard rest.starts(with: parts) else { return nil }
      if watch.isStopped(after: parts.count) { return nil }
      rest = rest.dropFirst(parts.count)
      place = end
    }
    return place
  }

  /// The end of the character at a place, marks included.
  private static func next(
    _ place: String.Index,
    in scalars: String.UnicodeScalarView
  ) -> String.Index {
    var end = scalars.index(after: place)
    while end < scalars.endIndex, isMark(scalars[end]) { end = scalars.index(after: end) }
    return end
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default: return false
    }
  }
}
