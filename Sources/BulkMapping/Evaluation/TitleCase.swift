/// Capitalizes the words of texts by Unicode's rules, independent of locale.
enum TitleCase {
  /// The text with the first character of every word in title case, and all others in lower case.
  ///
  /// Words have white space or line breaks between them, as Apple's reference of `capitalizedString` says.
  static func text(_ text: String) -> String {
    let spaces = CharacterSetConstant(.whitespaceAndNewline)
    var result = String.UnicodeScalarView()
    var word = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard spaces.contains(scalar) else {
        word.append(scalar)
        continue
      }
      append(&word, to: &result)
      result.append(scalar)
    }
    append(&word, to: &result)
    return String(result)
  }

  private static func append(
    _ word: inout String.UnicodeScalarView,
    to result: inout String.UnicodeScalarView
  ) {
    guard let first = word.first else { return }
    result.append(contentsOf: first.properties.titlecaseMapping.unicodeScalars)
    // The whole word decides which sigma is final.
    let lower = LowerCase.text(String(word)).unicodeScalars
    let dropped = first.properties.lowercaseMapping.unicodeScalars.count
    result.append(contentsOf: lower.dropFirst(dropped))
    word.removeAll()
  }
}
