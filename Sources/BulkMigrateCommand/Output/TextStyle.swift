/// A way to make a word stand out; never the only carrier of meaning.
enum TextStyle: String, Sendable {
  case bold = "1"
  case faint = "2"
  case red = "31"
  case yellow = "33"

  /// The text in this style, for terminals that understand ECMA-48.
  func applied(to text: String) -> String {
    "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
  }

  /// Whether styles may be used at all on a stream.
  ///
  /// Not where the text goes to a file or pipe, where the user does not want them (`NO_COLOR`, see
  /// no-color.org), or where the terminal has none.
  static func areWelcome(on stream: any TextStream, environment: [String: String]) -> Bool {
    stream.terminalWidth != nil && (environment["NO_COLOR"] ?? "").isEmpty
      && environment["TERM", default: "dumb"] != "dumb"
  }
}
