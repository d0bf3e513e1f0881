/// A set of characters that an expression names with a class method of `NSCharacterSet`.
///
/// Source: Apple's class reference, which names the general categories of each set.
struct CharacterSetConstant: Hashable, Sendable {
  static let className = "NSCharacterSet"
  static let inverting = "invertedSet"
  static let listing = "characterSetWithCharactersInString:"

  private let categories: Set<Unicode.GeneralCategory>
  private let scalars: Set<Unicode.Scalar>
  private var isInverted = false

  init(_ categories: Set<Unicode.GeneralCategory>, _ scalars: Set<Unicode.Scalar> = []) {
    self.categories = categories
    self.scalars = scalars
  }

  private static let letters: Set<Unicode.GeneralCategory> = [
    .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
    .nonspacingMark, .spacingMark, .enclosingMark,
  ]
  private static let newlines: Set<Unicode.Scalar> = [
    "\n", "\u{B}", "\u{C}", "\r", "\u{85}", "\u{2028}", "\u{2029}",
  ]

  static let spaces = CharacterSetConstant([.spaceSeparator], newlines.union(["\t"]))

  /// The sets without arguments, by the beginnings of their selectors.
  private static let named: KeyValuePairs = [
    "whitespace": CharacterSetConstant([.spaceSeparator], ["\t"]),
    "whitespaceAndNewline": spaces,
    "newline": CharacterSetConstant([], newlines),
    "decimalDigit": CharacterSetConstant([.decimalNumber]),
    "letter": CharacterSetConstant(letters),
    "lowercaseLetter": CharacterSetConstant([.lowercaseLetter]),
    "uppercaseLetter": CharacterSetConstant([.uppercaseLetter, .titlecaseLetter]),
    "alphanumeric": CharacterSetConstant(
      letters.union([.decimalNumber, .letterNumber, .otherNumber])
    ),
    "punctuation": CharacterSetConstant([
      .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation,
    ]),
    "symbol": CharacterSetConstant([.mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol]),
    "control": CharacterSetConstant([.control, .format]),
  ]

  static let selectors = named.map { selector($0.key) } + [listing]

  static func named(_ selector: String) -> CharacterSetConstant? {
    named.first { Self.selector($0.key) == selector }?.value
  }

  private static func selector(_ name: String) -> String { "\(name)CharacterSet" }

  /// A set without arguments in an expression, by the beginning of its selector.
  static func expression(_ name: String) -> String {
    "FUNCTION(CAST('\(className)', 'Class'), '\(selector(name))')"
  }

  var inverted: CharacterSetConstant {
    var result = self
    result.isInverted.toggle()
    return result
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    (scalars.contains(scalar) || categories.contains(scalar.properties.generalCategory))
      != isInverted
  }
}
