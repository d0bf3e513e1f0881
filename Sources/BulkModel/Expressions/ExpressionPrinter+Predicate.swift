extension ExpressionPrinter {
  /// Writes a predicate; parts of several inside another stand in parentheses, as in Core Data.
  mutating func write(_ predicate: ValuePredicate) {
    switch predicate {
    case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): write(comparison)
    case .not(let part):
      text += "NOT "
      writePart(part)
    case .and(let parts): write(parts, joinedBy: " AND ", orElse: "TRUEPREDICATE")
    case .or(let parts): write(parts, joinedBy: " OR ", orElse: "FALSEPREDICATE")
    }
  }

  /// Writes several predicates; all of nothing is true, and some of nothing is false.
  private mutating func write(
    _ parts: [ValuePredicate],
    joinedBy separator: String,
    orElse empty: String
  ) {
    if parts.isEmpty { text += empty }
    for (index, part) in parts.enumerated() {
      if index > 0 { text += separator }
      writePart(part)
    }
  }

  private mutating func writePart(_ predicate: ValuePredicate) {
    switch predicate {
    case .and, .or:
      text += "("
      write(predicate)
      text += ")"
    case .constant, .comparison, .not: write(predicate)
    }
  }

  private mutating func write(_ comparison: ValuePredicate.Comparison) {
    switch comparison.modifier {
    case .direct: break
    case .all: text += "ALL "
    case .any: text += "ANY "
    }
    write(comparison.left, in: .assignment)
    text += " \(comparison.operator.text)"
    let options = ValuePredicate.Options.letters.filter { comparison.options.contains($0.option) }
    if !options.isEmpty { text += "[\(String(options.map(\.letter)))]" }
    text += " "
    write(comparison.right, in: .assignment)
  }
}
