/// Texts in Unicode's canonical forms, as Foundation makes them.
package enum CanonicalText {
  /// The text in form C (`precomposedStringWithCanonicalMapping`).
  package static func composed(_ text: String) -> String {
    // ASCII has no parts and no marks.
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    return string(CanonicalForm.composed(Array(text.unicodeScalars)))
  }

  /// The text in form D (`decomposedStringWithCanonicalMapping`).
  package static func decomposed(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    return string(CanonicalForm.decomposed(text.unicodeScalars))
  }

  /// Scalars in form D.
  package static func decomposed(_ scalars: Substring.UnicodeScalarView) -> [Unicode.Scalar] {
    CanonicalForm.decomposed(scalars)
  }

  private static func string(_ scalars: [Unicode.Scalar]) -> String {
    var result = String.UnicodeScalarView()
    result.append(contentsOf: scalars)
    return String(result)
  }
}
