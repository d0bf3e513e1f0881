/// Texts in Unicode's normalization forms D and C, as Foundation makes them.
///
/// Source: Unicode Standard Annex 15; Hangul syllables by section 3.12 of the standard.
package enum CanonicalForm {
  /// The text in form C (`precomposedStringWithCanonicalMapping`).
  package static func composed(_ text: String) -> String {
    // ASCII has no parts and no marks.
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    return String(String.UnicodeScalarView(composed(Array(text.unicodeScalars))))
  }

  /// The text in form D (`decomposedStringWithCanonicalMapping`).
  package static func decomposed(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    return String(String.UnicodeScalarView(decomposed(text[...].unicodeScalars)))
  }

  /// Scalars in form D.
  package static func decomposed(_ scalars: Substring.UnicodeScalarView) -> [Unicode.Scalar] {
    decomposed(Array(scalars)).map(\.scalar)
  }

  private struct Pair: Hashable {
    let first: Unicode.Scalar
    let second: Unicode.Scalar
  }

  private static let composites: [Pair: Unicode.Scalar] =
    ScalarRows.parts(in: FoldingTables.composites, columns: 3).reduce(into: [:]) {
      $0[Pair(first: $1.value[0], second: $1.value[1])] = $1.key
    }

  /// The parts of a scalar; the first of a composite's two may have parts itself.
  private static let parts = ScalarRows.parts(in: FoldingTables.composites, columns: 3)
    .merging(ScalarRows.parts(in: FoldingTables.exclusions, columns: 4)) { $1 }

  /// The decomposition of a scalar, the scalar itself if it has none.
  static func decomposition(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    // No scalar below has parts.
    guard scalar.value >= 0xC0 else { return [scalar] }
    if let syllable = Hangul.decomposition(of: scalar) { return syllable }
    guard let parts = parts[scalar] else { return [scalar] }
    return decomposition(of: parts[0]) + parts.dropFirst()
  }

  /// Scalars in form C.
  static func composed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    result.reserveCapacity(scalars.count)
    /// The index in the result of the last scalar that others can be composed to.
    var starter: Int?
    var last: UInt8 = 0
    for (scalar, order) in decomposed(scalars) {
      let isNext = starter == result.count - 1
      if let place = starter, isNext || last != 0 && last < order,
        let composite = Hangul.composite(result[place], scalar)
          ?? composites[Pair(first: result[place], second: scalar)]
      {
        result[place] = composite
        continue
      }
      if order == 0 { starter = result.count }
      last = order
      result.append(scalar)
    }
    return result
  }

  /// Sorts scalars by their combining classes; those of the same class keep their order.
  static func sort(_ scalars: inout ArraySlice<Unicode.Scalar>) {
    guard scalars.count > 1 else { return }
    var marks = scalars.map { (scalar: $0, order: order(of: $0)) }[...]
    sort(&marks)
    scalars = ArraySlice(marks.map(\.scalar))
  }

  /// Decomposed scalars with their combining classes; marks behind a starter in the order of the classes.
  ///
  /// The first scalar of a decomposition has the class of what is decomposed. That is the same class in
  /// Unicode, except for U+0F73, U+0F75 and U+0F81, and Foundation does so.
  private static func decomposed(
    _ scalars: [Unicode.Scalar]
  ) -> [(scalar: Unicode.Scalar, order: UInt8)] {
    var result: [(scalar: Unicode.Scalar, order: UInt8)] = []
    result.reserveCapacity(scalars.count)
    /// The index of the first of the marks that end the result.
    var marks = 0
    for scalar in scalars {
      for (index, part) in decomposition(of: scalar).enumerated() {
        let order = order(of: index == 0 ? scalar : part)
        if order == 0 {
          sort(&result[marks...])
          marks = result.count + 1
        }
        result.append((part, order))
      }
    }
    sort(&result[marks...])
    return result
  }

  /// Sorts marks by their classes; those of the same class keep their order.
  private static func sort(_ marks: inout ArraySlice<(scalar: Unicode.Scalar, order: UInt8)>) {
    guard zip(marks, marks.dropFirst()).contains(where: { $0.order > $1.order }) else { return }
    let sorted = marks.enumerated().sorted {
      ($0.element.order, $0.offset) < ($1.element.order, $1.offset)
    }
    marks = ArraySlice(sorted.map(\.element))
  }

  /// The combining class of a scalar; 0 for those that Foundation does not know yet.
  private static func order(of scalar: Unicode.Scalar) -> UInt8 {
    guard scalar.value >= 0x300 else { return 0 }
    let order = scalar.properties.canonicalCombiningClass.rawValue
    guard order != 0, let age = scalar.properties.age, age.major <= newestVersion else { return 0 }
    return order
  }

  /// The Unicode version of the tables.
  private static let newestVersion = 15
}

/// Hangul syllables, which are composed by arithmetic.
private enum Hangul {
  private static let (firstSyllable, syllableCount): (UInt32, UInt32) = (0xAC00, 11_172)
  private static let (firstLeading, leadingCount): (UInt32, UInt32) = (0x1100, 19)
  private static let (firstVowel, vowelCount): (UInt32, UInt32) = (0x1161, 21)
  /// One before the first trailing consonant, for syllables that have none.
  private static let (noTrailing, trailingCount): (UInt32, UInt32) = (0x11A7, 28)

  static func decomposition(of scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
    let index = scalar.value &- firstSyllable
    guard index < syllableCount else { return nil }
    let trailing = index % trailingCount
    let parts = [
      firstLeading + index / (vowelCount * trailingCount),
      firstVowel + index / trailingCount % vowelCount,
    ]
    return (parts + (trailing == 0 ? [] : [noTrailing + trailing])).compactMap(Unicode.Scalar.init)
  }

  static func composite(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    let (leading, vowel) = (first.value &- firstLeading, second.value &- firstVowel)
    if leading < leadingCount, vowel < vowelCount {
      return Unicode.Scalar(firstSyllable + (leading * vowelCount + vowel) * trailingCount)
    }
    let (syllable, trailing) = (first.value &- firstSyllable, second.value &- noTrailing)
    guard
      syllable < syllableCount, syllable % trailingCount == 0,
      (1..<trailingCount).contains(trailing)
    else { return nil }
    return Unicode.Scalar(first.value + trailing)
  }
}
