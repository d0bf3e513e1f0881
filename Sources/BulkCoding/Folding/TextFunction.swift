/// A function of texts in expressions, by its selector.
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
