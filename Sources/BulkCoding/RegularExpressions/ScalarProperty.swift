/// A property that a scalar either has or lacks.
enum ScalarProperty: Sendable {
  case category([Unicode.GeneralCategory])
  case alphabetic, uppercase, lowercase, whitespace
  case any, ascii, assigned, hexDigit, emoji, ideographic
  case alphanumeric, blank, graphic, printable
  /// `\w`
  case word
  /// `\v`
  case lineEnd

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    switch self {
    case .category(let categories): return categories.contains(properties.generalCategory)
    case .alphabetic: return properties.isAlphabetic
    case .uppercase: return properties.isUppercase
    case .lowercase: return properties.isLowercase
    case .whitespace: return properties.isWhitespace
    case .any: return true
    case .ascii: return scalar.isASCII
    case .assigned: return properties.generalCategory != .unassigned
    case .hexDigit: return properties.isHexDigit || properties.generalCategory == .decimalNumber
    case .emoji: return properties.isEmoji
    case .ideographic: return properties.isIdeographic
    case .alphanumeric:
      return properties.isAlphabetic || properties.generalCategory == .decimalNumber
    case .blank: return scalar == "\t" || properties.generalCategory == .spaceSeparator
    case .graphic:
      return !properties.isWhitespace
        && ![.control, .surrogate, .unassigned].contains(properties.generalCategory)
    case .printable:
      return properties.generalCategory == .spaceSeparator || Self.graphic.contains(scalar)
    case .word: return Self.isOfWord(scalar)
    case .lineEnd: return Self.endsLine(scalar)
    }
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isAlphabetic { return true }
    switch scalar.properties.generalCategory {
    case .decimalNumber, .nonspacingMark, .spacingMark, .enclosingMark, .connectorPunctuation:
      return true
    default: return scalar == "\u{200C}" || scalar == "\u{200D}"
    }
  }

  private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}
