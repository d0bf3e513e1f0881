/// The width of texts in pictures, estimated for the widest of the usual sans-serif fonts.
enum TextWidth {
  /// The width of a text in pixels, at a size of the font in pixels.
  static func of(_ text: String, size: Double) -> Double {
    text.reduce(0) { $0 + share(of: $1) } * size
  }

  /// The text cut in its middle so that it is no wider than some pixels; the ends of a name say most.
  static func fitting(_ text: String, size: Double, in width: Double) -> String {
    guard of(text, size: size) > width else { return text }
    var (head, tail) = (text[...], Substring())
    // Longer names are cut anyway.
    var rest = text.count > 200 ? Array(text.prefix(100) + text.suffix(100)) : Array(text)
    while rest.count > 1 {
      rest.remove(at: rest.count / 2)
      let half = (rest.count + 1) / 2
      (head, tail) = (Substring(rest[..<half]), Substring(rest[half...]))
      if of("\(head)…\(tail)", size: size) <= width { break }
    }
    return "\(head)…\(tail)"
  }

  /// The width of a character by the size of its font.
  private static func share(of character: Character) -> Double {
    guard character.isASCII else {
      guard let scalar = character.unicodeScalars.first else { return 0 }
      return scalar.value >= 0x1100 ? 1.05 : 0.7
    }
    switch character {
    case "i", "j", "l", "I", "|", ".", ",", ":", ";", "'", "!", " ": return 0.33
    case "f", "r", "t", "(", ")", "[", "]", "-", "/": return 0.42
    case "m", "w", "M", "W", "@", "%": return 0.98
    default: return character.isUppercase ? 0.74 : 0.64
    }
  }
}
