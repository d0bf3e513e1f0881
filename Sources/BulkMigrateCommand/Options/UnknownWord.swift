import BulkVersions
import BulkPlan

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

extension StoreStrategy.Kind {
  /// Parses a strategy.
  init(parsing text: String) throws(UnknownWord) {
    guard let kind = StoreStrategy.Kind(rawValue: text) else {
      throw UnknownWord(text, among: StoreStrategy.Kind.allCases.map(\.rawValue))
    }
    self = kind
  }
}

extension LossLimit {
  /// Parses a limit: `none`, `all`, or a number of objects, values and links together.
  init(parsing text: String) throws(UnknownWord) {
    switch text {
    case "none": self = .count(0)
    case "all": self = .all
    default:
      guard let count = Int64(text.replacing(",", with: "")), count >= 0 else {
        throw UnknownWord(text, among: ["none", "a number", "all"])
      }
      self = .count(count)
    }
  }
}
