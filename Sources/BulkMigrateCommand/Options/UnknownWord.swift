/// A value that is none of an option's words.
struct UnknownWord: Error, Equatable, CustomStringConvertible {
  private let word: String
  private let known: [String]

  init(_ word: String, among known: [String]) {
    self.word = word
    self.known = known
  }

  var description: String {
    known.count == 1
      ? "'\(word)' is not \(known[0])" : "'\(word)' is neither \(known.joined(separator: " nor "))"
  }
}
