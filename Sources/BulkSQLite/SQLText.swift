/// Quotes names and texts for SQL.
///
/// Every name and text in a statement is quoted here.
package enum SQLText {
  /// An identifier in double quotes.
  package static func quoted(_ identifier: String) -> String { wrapped(identifier, in: "\"") }

  /// A text literal in single quotes; the text must not hold a NUL.
  package static func quoted(literal text: String) -> String { wrapped(text, in: "'") }

  private static func wrapped(_ text: String, in quote: String) -> String {
    var result = quote
    for scalar in text.unicodeScalars {
      if String(scalar) == quote { result += quote }
      result.unicodeScalars.append(scalar)
    }
    return result + quote
  }
}
