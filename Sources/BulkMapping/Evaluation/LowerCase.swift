/// Texts in lower case by Unicode's rules, without those of any language.
enum LowerCase {
  private static let capitalSigma: Unicode.Scalar = "\u{3A3}"

  /// A text in lower case, where a sigma at the end of a word has its own form.
  ///
  /// `String.lowercased()` knows no sigma but σ, because it looks at each scalar alone.
  static func text(_ text: String) -> String {
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

  /// Whether a sigma stands behind a letter with case and before none, where what case ignores does
  /// not count.
  ///
  /// Source: `Final_Sigma` in table 3-17 of the Unicode Standard, version 15.
  private static func isFinal(
    _ index: String.UnicodeScalarView.Index,
    in scalars: String.UnicodeScalarView
  ) -> Bool {
    let isBehindLetter = isCased(scalars[..<index].reversed())
    return isBehindLetter && !isCased(scalars[scalars.index(after: index)...])
  }

  /// Whether the first scalar that case does not ignore has case, or one before it.
  private static func isCased(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
    for scalar in scalars {
      if scalar.properties.isCased { return true }
      if !scalar.properties.isCaseIgnorable { return false }
    }
    return false
  }
}
