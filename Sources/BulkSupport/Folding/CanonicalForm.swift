internal import CBulkUTF8Proc

/// Texts in Unicode's normalization forms D and C, as Foundation makes them.
///
/// Source: Unicode Standard Annex 15.
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

  package static func decomposed(_ scalars: Substring.UnicodeScalarView) -> [Unicode.Scalar] {
    decomposed(Array(scalars)).map(\.scalar)
  }

  /// The decomposition of a scalar, the scalar itself if it has none.
  static func decomposition(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    // No scalar below has parts.
    scalar.value < 0xC0 ? [scalar] : scalar.mapped(by: UTF8PROC_DECOMPOSE)
  }

  static func composed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    result.reserveCapacity(scalars.count)
    /// The index in the result of the last scalar that others can be composed to.
    var starter: Int?
    var last: UInt8 = 0
    for (scalar, order) in decomposed(scalars) {
      let isNext = starter == result.count - 1
      if let index = starter, isNext || last != 0 && last < order,
        let composite = composite(result[index], scalar)
      {
        result[index] = composite
        continue
      }
      if order == 0 { starter = result.count }
      last = order
      result.append(scalar)
    }
    return result
  }

  private static func composite(
    _ first: Unicode.Scalar,
    _ second: Unicode.Scalar
  ) -> Unicode.Scalar? {
    // utf8proc takes U+11A7 for a trailing consonant that is nothing.
    guard second.value >= 0x300, second != "\u{11A7}" else { return nil }
    var pair = [Int32(first.value), Int32(second.value)]
    let options = utf8proc_option_t(UTF8PROC_COMPOSE.rawValue | UTF8PROC_STABLE.rawValue)
    let count = unsafe pair.withUnsafeMutableBufferPointer { pair in
      unsafe utf8proc_normalize_utf32(pair.baseAddress, pair.count, options)
    }
    return count == 1 ? Unicode.Scalar(UInt32(pair[0])) : nil
  }

  /// Sorts scalars by their combining classes; those of the same class keep their order.
  static func sort(_ scalars: inout ArraySlice<Unicode.Scalar>) {
    guard scalars.count > 1 else { return }
    var marks = scalars.map { (scalar: $0, order: $0.combiningClass) }[...]
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
        let order = index == 0 ? scalar.combiningClass : part.combiningClass
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
}

/// The properties of a scalar by utf8proc, with exceptions where Foundation differs.
extension Unicode.Scalar {
  fileprivate var combiningClass: UInt8 {
    guard value >= 0x300 else { return 0 }
    return unsafe UInt8(utf8proc_get_property(Int32(value)).pointee.combining_class)
  }

  /// Whether it extends the scalar before it.
  var isExtending: Bool {
    // The first such scalar is U+0300.
    guard value >= 0x300 else { return false }
    return unsafe utf8proc_get_property(Int32(value)).pointee.boundclass
      == UTF8PROC_BOUNDCLASS_EXTEND.rawValue
  }

  /// The folding of its case; that of `ß` has two scalars.
  var caseFolding: [Unicode.Scalar] {
    switch value {
    case 0x41...0x5A: return [Unicode.Scalar(UInt8(value) + 32)]
    case 0..<0x80: return [self]
    // Foundation folds Cherokee to small letters, and some Cyrillic letters not at all.
    case 0x13A0...0x13EF: return Unicode.Scalar(value + 0x97D0).map { [$0] } ?? [self]
    case 0x13F0...0x13F5: return Unicode.Scalar(value + 8).map { [$0] } ?? [self]
    case 0x13F8...0x13FD, 0x1C80...0x1C88, 0xAB70...0xABBF: return [self]
    default: return mapped(by: UTF8PROC_CASEFOLD)
    }
  }

  fileprivate func mapped(by option: utf8proc_option_t) -> [Unicode.Scalar] {
    // Neither mapping gives more than four.
    unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: 4) { parts in
      var boundary: Int32 = 0
      let count = unsafe utf8proc_decompose_char(
        Int32(value),
        parts.baseAddress,
        parts.count,
        option,
        &boundary
      )
      return unsafe parts.prefix(count).compactMap { Unicode.Scalar(UInt32($0)) }
    }
  }
}
