/// Folds texts, so that those that differ only in case or in diacritics become equal.
///
/// It does what `String.folding(options:locale:)` of Foundation does without a locale, followed by
/// `precomposedStringWithCanonicalMapping`.
package struct TextFolding: Sendable {
  private let ignoresCase: Bool
  private let ignoresDiacritics: Bool
  /// Diacritics are dropped from scalars below: Latin, Greek and Cyrillic.
  private static let lettersEnd: UInt32 = 0x510

  package init(ignoresCase: Bool, ignoresDiacritics: Bool) {
    self.ignoresCase = ignoresCase
    self.ignoresDiacritics = ignoresDiacritics
  }

  package func folded(_ text: String) -> String {
    guard ignoresCase || ignoresDiacritics else { return text }
    // ASCII has no diacritics, and its case mapping needs no table.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return ignoresCase ? text.lowercased() : text }
    let scalars = ignoresDiacritics ? withoutDiacritics(text) : text.unicodeScalars.flatMap(cased)
    return String(String.UnicodeScalarView(CanonicalForm.composed(scalars)))
  }

  private func cased(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    ignoresCase ? scalar.caseFolding : [scalar]
  }

  private enum Marks {
    case dropped
    /// The first is dropped if it is one of Latin, Greek or Cyrillic letters; all others stay.
    case droppedOnce
    case kept
  }

  /// The scalars, where those that extend another one are dropped behind a letter, and otherwise sorted.
  private func withoutDiacritics(_ text: String) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    var marks: Marks?
    /// The index of the last scalar that marks may follow.
    var base = 0
    for scalar in text.unicodeScalars {
      if let kind = marks, scalar.isExtending {
        guard kind != .dropped else { continue }
        if kind == .kept || scalar.value >= Self.lettersEnd {
          result += CanonicalForm.decomposition(of: scalar)
        }
        marks = .kept
        continue
      }
      CanonicalForm.sort(&result[base...])
      let first = CanonicalForm.decomposition(of: scalar)[0]
      let plain = first.value < Self.lettersEnd ? first : scalar
      let folding = cased(plain)
      result += folding
      base = result.count - 1
      marks = scalar == "\0" ? nil : Self.marks(behind: folding, isFolded: folding != [plain])
    }
    CanonicalForm.sort(&result[base...])
    return result
  }

  private static func marks(behind folding: [Unicode.Scalar], isFolded: Bool) -> Marks {
    if folding[0].value < lettersEnd { return .dropped }
    return isFolded ? .kept : .droppedOnce
  }
}

/// Lowercases texts by Unicode's rules, independent of locale.
package enum LowerCase {
  private static let capitalSigma: Unicode.Scalar = "\u{3A3}"

  /// The text in lowercase, with the final form of sigma at the end of words.
  ///
  /// `String.lowercased()` always gives σ, because it maps each scalar separately.
  package static func text(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.contains(capitalSigma) else { return text.lowercased() }
    var result = String.UnicodeScalarView()
    for index in scalars.indices {
      if scalars[index] == capitalSigma {
        result.append(isFinal(index, in: scalars) ? "ς" : "σ")
      } else {
        result.append(contentsOf: scalars[index].properties.lowercaseMapping.unicodeScalars)
      }
    }
    return String(result)
  }

  /// Whether a sigma follows a cased letter and precedes none, ignoring case-ignorable scalars.
  ///
  /// Source: `Final_Sigma` in table 3-17 of the Unicode Standard, version 15.
  private static func isFinal(
    _ index: String.UnicodeScalarView.Index,
    in scalars: String.UnicodeScalarView
  ) -> Bool {
    let isBehindLetter = isCased(scalars[..<index].reversed())
    return isBehindLetter && !isCased(scalars[scalars.index(after: index)...])
  }

  /// Whether the first scalar that is not case-ignorable, or one before it, is cased.
  private static func isCased(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
    for scalar in scalars {
      if scalar.properties.isCased { return true }
      if !scalar.properties.isCaseIgnorable { return false }
    }
    return false
  }
}

/// A function of texts that Core Data also derives in SQL (formats/store.md 9.1), by its selector.
package enum TextFunction: String, Hashable, Sendable {
  case uppercase = "uppercase:"
  case lowercase = "lowercase:"
  /// Without regard to case and diacritics.
  case canonical = "canonical:"

  package func result(for text: String) -> String {
    switch self {
    case .uppercase: text.uppercased()
    case .lowercase: LowerCase.text(text)
    case .canonical: TextFolding(ignoresCase: true, ignoresDiacritics: true).folded(text)
    }
  }
}
