/// A set of characters that an expression names with a class method of `NSCharacterSet`.
///
/// Source: Apple's class reference, which names the general categories of each set.
struct CharacterSetConstant: Hashable, Sendable {
  /// A class method of `NSCharacterSet`.
  enum Name: String, Hashable, Sendable, CaseIterable {
    case whitespace = "whitespaceCharacterSet"
    case whitespaceAndNewline = "whitespaceAndNewlineCharacterSet"
    case newline = "newlineCharacterSet"
    case decimalDigit = "decimalDigitCharacterSet"
    case letter = "letterCharacterSet"
    case lowercaseLetter = "lowercaseLetterCharacterSet"
    case uppercaseLetter = "uppercaseLetterCharacterSet"
    case alphanumeric = "alphanumericCharacterSet"
    case punctuation = "punctuationCharacterSet"
    case symbol = "symbolCharacterSet"
    case control = "controlCharacterSet"
    case characters = "characterSetWithCharactersInString:"
  }

  static let className = "NSCharacterSet"
  /// The method that gives all other characters.
  static let inverting = "invertedSet"

  private let name: Name
  private let members: Set<Unicode.Scalar>
  private var isInverted = false

  /// A set of a class method, and of characters if the method takes them.
  init(_ name: Name, _ members: String = "") {
    (self.name, self.members) = (name, Set(members.unicodeScalars))
  }

  /// A set without arguments in an expression.
  static func expression(_ name: Name) -> String {
    "FUNCTION(CAST('\(className)', 'Class'), '\(name.rawValue)')"
  }

  var inverted: CharacterSetConstant {
    var result = self
    result.isInverted.toggle()
    return result
  }

  /// Whether a character is in the set.
  func contains(_ scalar: Unicode.Scalar) -> Bool { isNamed(scalar) != isInverted }

  private func isNamed(_ scalar: Unicode.Scalar) -> Bool {
    var category: Unicode.GeneralCategory { scalar.properties.generalCategory }
    return switch name {
    case .whitespace: Self.isSpace(scalar)
    case .newline: Self.isNewline(scalar)
    case .whitespaceAndNewline: Self.isSpace(scalar) || Self.isNewline(scalar)
    case .decimalDigit: category == .decimalNumber
    case .letter: Self.isLetter(category)
    case .lowercaseLetter: category == .lowercaseLetter
    case .uppercaseLetter: [.uppercaseLetter, .titlecaseLetter].contains(category)
    case .alphanumeric:
      Self.isLetter(category) || [.decimalNumber, .letterNumber, .otherNumber].contains(category)
    case .punctuation:
      [
        .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
        .initialPunctuation, .finalPunctuation, .otherPunctuation,
      ].contains(category)
    case .symbol: [.mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol].contains(category)
    case .control: [.control, .format].contains(category)
    case .characters: members.contains(scalar)
    }
  }

  /// General category Zs, and the tabulator.
  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\t" || scalar.properties.generalCategory == .spaceSeparator
  }

  /// U+000A to U+000D, U+0085, U+2028 and U+2029.
  private static func isNewline(_ scalar: Unicode.Scalar) -> Bool {
    (0xA...0xD).contains(scalar.value) || [0x85, 0x2028, 0x2029].contains(scalar.value)
  }

  /// General categories L and M.
  private static func isLetter(_ category: Unicode.GeneralCategory) -> Bool {
    [
      .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark,
    ].contains(category)
  }
}
