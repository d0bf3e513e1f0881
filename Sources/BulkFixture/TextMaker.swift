/// Makes realistic texts in several scripts.
struct TextMaker: Sendable {
  /// The kind of a text, guessed from the name of its attribute.
  enum Kind: Sendable {
    case title
    case body
    case address
    case link
    case word
  }

  let kind: Kind
  /// The length in characters that the model allows.
  let length: ClosedRange<Int>

  init(name: String, length: ClosedRange<Int>) {
    let name = name.lowercased()
    kind =
      if ["body", "text", "content", "description", "comment", "message"].contains(
        where: name.contains
      ) {
        .body
      } else if name.contains("mail") {
        .address
      } else if ["url", "uri", "link", "href"].contains(where: name.contains) {
        .link
      } else if ["title", "name", "subject", "caption", "label"].contains(where: name.contains) {
        .title
      } else {
        .word
      }
    self.length = length
  }

  private static let words = [
    "meeting", "notes", "from", "the", "garden", "bought", "three", "apples", "and", "a", "letter",
    "for", "Anna", "before", "winter", "we", "walked", "along", "river", "café", "naïve", "Straße",
    "über", "niño", "señor", "résumé", "smörgås", "Łódź", "œuvre", "İstanbul", "Ελλάδα", "θάλασσα",
    "привет", "погода", "книга", "物理", "化学", "会议", "東京", "ありがとう", "안녕하세요", "مرحبا", "שלום",
    "नमस्ते", "ไทย", "👋🏽", "🌧️", "👩‍👩‍👧", "e\u{301}te", "zero\u{200B}width",
  ].map { Array($0.utf8) }
  /// The first words are common ones; they are drawn more often.
  private static let plainWords: Int64 = 19

  func text(_ random: inout RepeatableRandom) -> String {
    switch kind {
    case .word: fitted(words(1...2, &random), &random)
    case .title: fitted(words(2...5, &random), &random)
    case .body: fitted(words(8...36, &random), &random)
    case .address: fitted("person\(random.below(1_000_000))@example.org", &random)
    case .link: fitted("https://example.org/items/\(random.below(1_000_000_000))", &random)
    }
  }

  private func words(_ count: ClosedRange<Int>, _ random: inout RepeatableRandom) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count.upperBound * 8)
    let wanted = count.lowerBound + Int(random.below(Int64(count.count)))
    for place in 0..<wanted {
      if place > 0 { bytes.append(UInt8(ascii: " ")) }
      let isPlain = random.below(5) > 0
      let bound = isPlain ? Self.plainWords : Int64(Self.words.count)
      bytes += Self.words[Int(random.below(bound))]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text, cut or extended to the length that the model allows.
  private func fitted(_ text: String, _ random: inout RepeatableRandom) -> String {
    guard length != 0...Int.max else { return text }
    var result = String(text.prefix(length.upperBound))
    while result.count < length.lowerBound {
      result.append(Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(random.below(26)))))
    }
    return result
  }
}
