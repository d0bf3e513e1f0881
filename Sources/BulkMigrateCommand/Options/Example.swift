/// A command line that can be typed literally, and its purpose.
struct Example: Sendable {
  let words: String
  let purpose: String

  init(_ words: String, _ purpose: String) {
    self.words = words
    self.purpose = purpose
  }
}
