import BulkVersions

extension StoreStrategy.Kind {
  /// Parses a strategy.
  init(parsing text: String) throws(UnknownWord) {
    guard let kind = StoreStrategy.Kind(rawValue: text) else {
      throw UnknownWord(text, among: StoreStrategy.Kind.allCases.map(\.rawValue))
    }
    self = kind
  }
}
