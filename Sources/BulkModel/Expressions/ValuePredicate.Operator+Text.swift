extension ValuePredicate.Operator {
  /// The operator as Core Data writes it.
  package var text: String {
    switch self {
    case .lessThan: "<"
    case .lessThanOrEqualTo: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqualTo: ">="
    case .equalTo: "=="
    case .notEqualTo: "!="
    case .matches: "MATCHES"
    case .like: "LIKE"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .in: "IN"
    case .contains: "CONTAINS"
    case .between: "BETWEEN"
    }
  }

  /// The operator that a sign or a keyword in capitals means.
  init?(text: String) {
    let match = Self.allCases.first { $0.text == text }
    guard let match = match ?? Self.otherSpellings[text] else { return nil }
    self = match
  }

  private static let otherSpellings: [String: Self] = [
    "=": .equalTo, "<>": .notEqualTo, "=<": .lessThanOrEqualTo, "=>": .greaterThanOrEqualTo,
  ]
}

extension ValuePredicate.Options {
  /// The options and the letters that stand for them, in the order in which they are written.
  static let letters: [(letter: Character, option: Self)] = [
    ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized),
    ("l", .localeSensitive),
  ]

  /// The option that a letter stands for, in either case.
  init?(letter: Character) {
    guard let match = Self.letters.first(where: { "\($0.letter)" == letter.lowercased() }) else {
      return nil
    }
    self = match.option
  }
}
