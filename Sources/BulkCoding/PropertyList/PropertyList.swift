/// A property list value, independent of the file format.
package enum PropertyList: Hashable, Sendable {
  /// A Boolean.
  case boolean(Bool)
  /// An integer that fits 64 signed bits.
  case integer(Int64)
  /// An integer above `Int64.max`.
  case unsigned(UInt64)
  /// A number with a fraction.
  case real(Double)
  /// A date, in seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  /// Bytes.
  case data([UInt8])
  /// Text.
  case string(String)
  /// A reference of a keyed archive, which XML writes as `CF$UID`.
  case uid(Int)
  /// Values in order.
  case array([PropertyList])
  /// Values by name.
  case dictionary([String: PropertyList])
  /// No value; only binary property lists can hold it.
  case null
}

extension PropertyList {
  /// The nesting limit of all readers, so that a walk over the value cannot exhaust the stack.
  package static let depthLimit = 256

  /// The Boolean, if it is one; archives also write 0 and 1.
  package var boolean: Bool? {
    switch self {
    case .boolean(let value): value
    case .integer(0): false
    case .integer(1): true
    case .integer, .unsigned, .real, .date, .data, .string, .uid, .array, .dictionary, .null: nil
    }
  }

  /// The integer, if it is one that fits into 64 signed bits.
  package var integer: Int64? {
    guard case .integer(let value) = self else { return nil }
    return value
  }

  /// The text, if it is text.
  package var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The bytes, if it holds bytes.
  package var data: [UInt8]? {
    guard case .data(let value) = self else { return nil }
    return value
  }

  /// The elements, if it is an array.
  package var array: [PropertyList]? {
    guard case .array(let value) = self else { return nil }
    return value
  }

  /// The entries, if it is a dictionary.
  package var dictionary: [String: PropertyList]? {
    guard case .dictionary(let value) = self else { return nil }
    return value
  }
}

extension String {
  /// Whether a string precedes another in UTF-16 code unit order.
  ///
  /// UTF-8 sorts the same, except for the lead bytes of U+E000…U+FFFF (EE, EF), which UTF-16 sorts after the
  /// surrogates (F0…F4).
  func precedesByCodeUnit(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8) { first, second in
      first.utf16Rank < second.utf16Rank
    }
  }
}

extension UInt8 {
  fileprivate var utf16Rank: UInt8 {
    switch self {
    case 0xEE, 0xEF: self &+ 5
    case 0xF0...0xF4: self &- 2
    default: self
    }
  }
}
