internal import Foundation

/// A regular expression that a text must match as a whole, as `MATCHES` asks.
struct TextPattern: Sendable {
  /// ICU's own object; it is immutable and may be used by any thread.
  private let expression: NSRegularExpression

  /// A pattern; `nil` where it is no regular expression.
  init?(_ pattern: String) {
    guard let expression = try? NSRegularExpression(pattern: "^(?:\(pattern))\\z") else {
      return nil
    }
    self.expression = expression
  }

  /// Whether a text is one of the pattern, from its beginning to its end.
  func matches(_ text: String) -> Bool {
    let range = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, options: .anchored, range: range) != nil
  }
}
