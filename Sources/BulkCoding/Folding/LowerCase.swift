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
