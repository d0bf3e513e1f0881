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
    case .word: return Self.isWordCharacter(scalar)
    case .lineEnd: return Self.endsLine(scalar)
    }
  }

  private static func isWordCharacter(_ scalar: Unicode.Scalar) -> Bool {
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

  /// The property with a name; case, spaces, hyphens and underscores are ignored.
  init?(named name: String) {
    let folded = name.lowercased().filter { !" -_".contains($0) }
    let prefix = ["gc=", "generalcategory="].first(where: folded.hasPrefix)
    let value = String(folded.dropFirst(prefix?.count ?? 0))
    let category = Self.categories[value].map { Self.category($0) }
    guard let found = prefix == nil ? Self.properties[value] ?? category : category else {
      return nil
    }
    self = found
  }

  private static let properties: [String: ScalarProperty] = [
    "alphabetic": .alphabetic, "alpha": .alphabetic, "uppercase": .uppercase, "upper": .uppercase,
    "lowercase": .lowercase, "lower": .lowercase, "whitespace": .whitespace, "space": .whitespace,
    "wspace": .whitespace, "any": .any, "ascii": .ascii, "assigned": .assigned,
    "xdigit": .hexDigit, "emoji": .emoji, "ideographic": .ideographic, "ideo": .ideographic,
    "alnum": .alphanumeric, "blank": .blank, "graph": .graphic, "print": .printable,
  ]

  private static let categories: [String: [Unicode.GeneralCategory]] = {
    var found: [String: [Unicode.GeneralCategory]] = [:]
    for (names, categories) in single + groups {
      for name in names { found[name] = categories }
    }
    return found
  }()

  private static let single: [([String], [Unicode.GeneralCategory])] = [
    (["lu", "uppercaseletter"], [.uppercaseLetter]),
    (["ll", "lowercaseletter"], [.lowercaseLetter]),
    (["lt", "titlecaseletter"], [.titlecaseLetter]),
    (["lm", "modifierletter"], [.modifierLetter]),
    (["lo", "otherletter"], [.otherLetter]),
    (["mn", "nonspacingmark"], [.nonspacingMark]),
    (["mc", "spacingmark"], [.spacingMark]),
    (["me", "enclosingmark"], [.enclosingMark]),
    (["nd", "decimalnumber", "digit"], [.decimalNumber]),
    (["nl", "letternumber"], [.letterNumber]),
    (["no", "othernumber"], [.otherNumber]),
    (["pc", "connectorpunctuation"], [.connectorPunctuation]),
    (["pd", "dashpunctuation"], [.dashPunctuation]),
    (["ps", "openpunctuation"], [.openPunctuation]),
    (["pe", "closepunctuation"], [.closePunctuation]),
    (["pi", "initialpunctuation"], [.initialPunctuation]),
    (["pf", "finalpunctuation"], [.finalPunctuation]),
    (["po", "otherpunctuation"], [.otherPunctuation]),
    (["sm", "mathsymbol"], [.mathSymbol]),
    (["sc", "currencysymbol"], [.currencySymbol]),
    (["sk", "modifiersymbol"], [.modifierSymbol]),
    (["so", "othersymbol"], [.otherSymbol]),
    (["zs", "spaceseparator"], [.spaceSeparator]),
    (["zl", "lineseparator"], [.lineSeparator]),
    (["zp", "paragraphseparator"], [.paragraphSeparator]),
    (["cc", "control", "cntrl"], [.control]),
    (["cf", "format"], [.format]),
    (["cs", "surrogate"], [.surrogate]),
    (["co", "privateuse"], [.privateUse]),
    (["cn", "unassigned"], [.unassigned]),
  ]

  private static let groups: [([String], [Unicode.GeneralCategory])] = [
    (["lc", "casedletter"], [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter]),
    (
      ["l", "letter"],
      [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter]
    ),
    (["m", "mark", "combiningmark"], [.nonspacingMark, .spacingMark, .enclosingMark]),
    (["n", "number"], [.decimalNumber, .letterNumber, .otherNumber]),
    (
      ["p", "punctuation", "punct"],
      [
        .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
        .initialPunctuation, .finalPunctuation, .otherPunctuation,
      ]
    ),
    (["s", "symbol"], [.mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol]),
    (["z", "separator"], [.spaceSeparator, .lineSeparator, .paragraphSeparator]),
    (["c", "other"], [.control, .format, .surrogate, .privateUse, .unassigned]),
  ]
}
