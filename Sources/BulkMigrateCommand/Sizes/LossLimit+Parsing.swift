import BulkPlan

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
