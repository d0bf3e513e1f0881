internal import BulkModel
internal import BulkSQLite

/// Writes the predicate of a partial index as Core Data does.
struct PartialIndexCondition {
  let column: (String) -> String?

  /// The condition in SQL; `nil` if the predicate names an unknown property or has a form never seen in a
  /// partial index of Core Data, in which case no index is made.
  func sql(_ predicate: ValuePredicate) -> String? {
    switch predicate {
    case .comparison(let comparison): sql(comparison)
    case .and(let parts): joined(parts, by: " AND ")
    case .or(let parts): joined(parts, by: " OR ")
    case .not(let part): sql(part).map { "NOT (\($0))" }
    case .constant: nil
    }
  }

  private func joined(_ parts: [ValuePredicate], by word: String) -> String? {
    let texts = parts.compactMap { sql($0) }
    guard !texts.isEmpty, texts.count == parts.count else { return nil }
    return "(\(texts.joined(separator: word)))"
  }

  private func sql(_ comparison: ValuePredicate.Comparison) -> String? {
    guard
      comparison.modifier == .direct, comparison.options.isEmpty,
      case .keyPath(let property, of: .evaluatedObject) = comparison.left,
      let column = column(property),
      case .constant(let constant) = comparison.right
    else { return nil }
    let name = SchemaSQL.name(column)
    if constant == .null {
      switch comparison.operator {
      case .equalTo: return "\(name) IS NULL"
      case .notEqualTo: return "\(name) IS NOT NULL"
      case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .matches, .like,
        .beginsWith, .endsWith, .in, .contains, .between:
        return nil
      }
    }
    guard let sign = sign(of: comparison.operator) else { return nil }
    return "\(name) \(sign) \(text(of: ColumnCoding.value(of: constant)))"
  }

  /// A constant as a stored statement has it, where a number is a short text.
  private func text(of value: SQLiteValue) -> String {
    guard case .real(let number) = value, number.isFinite else { return value.literal }
    return number.description
  }

  private func sign(of operator: ValuePredicate.Operator) -> String? {
    switch `operator` {
    case .lessThan: "<"
    case .lessThanOrEqualTo: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqualTo: ">="
    case .equalTo: "="
    case .notEqualTo: "<>"
    case .matches, .like, .beginsWith, .endsWith, .in, .contains, .between: nil
    }
  }
}

extension PartialIndexCondition {
  /// The condition in the statement of an index: the text after the word WHERE outside quotes.
  static func text(in statement: String) -> String? {
    let closing: [Character: Character] = ["\"": "\"", "'": "'", "`": "`", "[": "]"]
    var quote: Character?
    var word = ""
    for index in statement.indices {
      let character = statement[index]
      if let end = quote {
        if character == end { quote = nil }
        continue
      }
      if character.isLetter || character.isNumber || character == "_" {
        word.append(character)
        continue
      }
      if word.lowercased() == "where" {
        return String(statement[index...])
      }
      word = ""
      quote = closing[character]
    }
    return nil
  }
}
