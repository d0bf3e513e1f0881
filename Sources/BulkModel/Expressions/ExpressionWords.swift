/// The precedence of operators, loosest first.
///
/// Source: section 2.3 of Apple's grammar where documented; the precedence of negation and set operations
/// is inferred.
enum ExpressionPrecedence: Int, Comparable {
  case or, and, not, comparison, set, sum, product, power, negation, postfix

  static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }

  /// The precedence of the right operand of a left-associative operator.
  var next: Self { Self(rawValue: rawValue + 1) ?? .postfix }
}

struct InfixOperator {
  enum Meaning: Hashable {
    case or, and
    case comparison(ValuePredicate.Operator)
    case set(ValueExpression.SetOperation)
    /// A predefined function of two numbers, by its selector.
    case call(String)
  }

  let meaning: Meaning
  let precedence: ExpressionPrecedence
  /// The signs and uppercase words that are read; the first of them is written.
  let spellings: [String]

  private init(_ meaning: Meaning, _ precedence: ExpressionPrecedence, _ spellings: String...) {
    self.meaning = meaning
    self.precedence = precedence
    self.spellings = spellings
  }

  static let all = [
    InfixOperator(.or, .or, "OR", "||"),
    InfixOperator(.and, .and, "AND", "&&"),
    InfixOperator(.comparison(.lessThan), .comparison, "<"),
    InfixOperator(.comparison(.lessThanOrEqualTo), .comparison, "<=", "=<"),
    InfixOperator(.comparison(.greaterThan), .comparison, ">"),
    InfixOperator(.comparison(.greaterThanOrEqualTo), .comparison, ">=", "=>"),
    InfixOperator(.comparison(.equalTo), .comparison, "==", "="),
    InfixOperator(.comparison(.notEqualTo), .comparison, "!=", "<>"),
    InfixOperator(.comparison(.matches), .comparison, "MATCHES"),
    InfixOperator(.comparison(.like), .comparison, "LIKE"),
    InfixOperator(.comparison(.beginsWith), .comparison, "BEGINSWITH"),
    InfixOperator(.comparison(.endsWith), .comparison, "ENDSWITH"),
    InfixOperator(.comparison(.in), .comparison, "IN"),
    InfixOperator(.comparison(.contains), .comparison, "CONTAINS"),
    InfixOperator(.comparison(.between), .comparison, "BETWEEN"),
    InfixOperator(.set(.union), .set, "UNION"),
    InfixOperator(.set(.intersect), .set, "INTERSECT"),
    InfixOperator(.set(.minus), .set, "MINUS"),
    InfixOperator(.call("add:to:"), .sum, "+"),
    InfixOperator(.call("from:subtract:"), .sum, "-"),
    InfixOperator(.call("multiply:by:"), .product, "*"),
    InfixOperator(.call("divide:by:"), .product, "/"),
    InfixOperator(.call("raise:toPower:"), .power, "**"),
  ]

  static let byMeaning = Dictionary(uniqueKeysWithValues: all.map { ($0.meaning, $0) })

  static let bySpelling = Dictionary(
    uniqueKeysWithValues: all.flatMap { row in row.spellings.map { ($0, row) } }
  )
}

extension ValuePredicate.Operator {
  package var text: String { InfixOperator.byMeaning[.comparison(self)]?.spellings[0] ?? "" }
}

extension ValueExpression.SetOperation {
  package var text: String { InfixOperator.byMeaning[.set(self)]?.spellings[0] ?? "" }
}

enum ExpressionWord {
  /// The words that as the name of a key have a `#` before them.
  ///
  /// Source: the reserved words of Apple's Predicate Programming Guide.
  static let reserved: Set<String> = [
    "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI",
    "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE",
    "YES", "FALSE", "NO", "FIRST", "LAST", "SIZE", "ANYKEY", "SUBQUERY", "CAST", "TRUEPREDICATE",
    "FALSEPREDICATE",
  ]

  /// The words before the arguments of a call that has its own syntax.
  static let calls: Set<String> = ["FUNCTION", "CAST", "TERNARY", "SUBQUERY", "FETCH"]

  static let constants: [String: AttributeValue] = [
    "TRUE": .boolean(true), "YES": .boolean(true), "FALSE": .boolean(false), "NO": .boolean(false),
    "NULL": .null, "NIL": .null,
  ]

  /// `NONE` is `NOT ANY`, as in Core Data.
  static let quantifiers: [String: ValuePredicate.Modifier] = [
    "ALL": .all, "ANY": .any, "SOME": .any, "NONE": .any,
  ]

  static let signs = Set("!()[]{},.:".map(String.init)).union(InfixOperator.bySpelling.keys)

  private static let all = reserved.union(calls).union(InfixOperator.bySpelling.keys)
  private static let longest = 15

  /// The word in uppercase; `nil` if it has no meaning in expressions.
  ///
  /// Only ASCII letters change case: `ſelf` is not `SELF`.
  static func known(_ word: some StringProtocol) -> String? {
    guard word.utf8.count <= longest else { return nil }
    let upper = word.utf8.map { (97...122).contains($0) ? $0 - 32 : $0 }
    let text = String(decoding: upper, as: UTF8.self)
    return all.contains(text) ? text : nil
  }

  /// Whether a known word, at the beginning of a value, is a key even without `#`.
  ///
  /// Core Data expects `#size`; `size` alone has no other meaning there, and models contain it.
  static func isKeyWhereValueBegins(_ word: String) -> Bool {
    ValueExpression.Symbol(rawValue: word) != nil || !reserved.contains(word)
  }
}

/// The syntax of names in expressions, and the escaping of other names.
enum Identifier {
  static func canBegin(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }
    return scalar.properties.isXIDStart
  }

  static func canContinue(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return canBegin(scalar) || ("0"..."9").contains(scalar) }
    return scalar.properties.isXIDContinue
  }

  /// The name in an expression's text, with other characters as `\uhhhh`.
  static func written(_ name: some StringProtocol) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      if text.isEmpty ? canBegin(scalar) : canContinue(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        for unit in UTF16.encode(scalar) ?? .init() { text += escape(unit) }
      }
    }
    return text
  }

  /// The name of a key, with `#` if it is a reserved word.
  static func writtenKey(_ name: some StringProtocol) -> String {
    if name.first == "@" { return "@" + written(name.dropFirst()) }
    let isReserved = ExpressionWord.known(name).map(ExpressionWord.reserved.contains) ?? false
    return (isReserved ? "#" : "") + written(name)
  }

  /// A UTF-16 code unit as `\uhhhh`.
  static func escape(_ unit: UTF16.CodeUnit) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
