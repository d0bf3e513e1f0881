import BulkModel
import Testing

@Suite struct PredicateParsingTests {
  @Test(
    arguments: [
      ("=", .equalTo), ("==", .equalTo), ("!=", .notEqualTo), ("<>", .notEqualTo),
      ("<", .lessThan), ("<=", .lessThanOrEqualTo), ("=<", .lessThanOrEqualTo),
      (">", .greaterThan), (">=", .greaterThanOrEqualTo), ("=>", .greaterThanOrEqualTo),
      (" between ", .between), (" IN ", .in), (" contains ", .contains),
      (" BEGINSWITH ", .beginsWith), (" endswith ", .endsWith), (" Like ", .like),
      (" MATCHES ", .matches),
    ] as [(String, ValuePredicate.Operator)]
  )
  func `an operator compares`(text: String, operator: ValuePredicate.Operator) throws {
    let comparison = ValuePredicate.Comparison(
      .keyPath("a", of: .evaluatedObject),
      `operator`,
      .variable("b")
    )
    #expect(try ValuePredicate(format: "a\(text)$b") == .comparison(comparison))
  }

  @Test(
    arguments: [
      ("[c]", .caseInsensitive), ("[d]", .diacriticInsensitive), ("[n]", .normalized),
      ("[l]", .localeSensitive), ("[cd]", [.caseInsensitive, .diacriticInsensitive]),
      ("[DC]", [.caseInsensitive, .diacriticInsensitive]), (" [ c ]", .caseInsensitive),
    ] as [(String, ValuePredicate.Options)]
  )
  func `letters in brackets say how text is compared`(
    text: String,
    options: ValuePredicate.Options
  ) throws {
    let comparison = ValuePredicate.Comparison(
      .keyPath("a", of: .evaluatedObject),
      .contains,
      .constant(.string("b")),
      options: options
    )
    #expect(try ValuePredicate(format: "a CONTAINS\(text) 'b'") == .comparison(comparison))
  }

  /// What is printed is checked against the tree in ExpressionDescriptionTests.
  @Test(
    arguments: [
      ("ads.@count==1", "count:(ads) == 1"),
      ("ads.@count>1", "count:(ads) > 1"),
      ("messageID < 10000", "messageID < 10000"),
      ("image != nil", "image != nil"),
      ("parent.parentName == $parentName", "parent.parentName == $parentName"),
      ("a BETWEEN {1, 2}", "a BETWEEN {1, 2}"),
      ("'x' in {'x', \"y\"}", #""x" IN {"x", "y"}"#),
      ("any a.b > 3", "ANY a.b > 3"),
      ("SOME a.b > 3", "ANY a.b > 3"),
      ("ALL (a.b) > 3", "ALL a.b > 3"),
      ("NONE a.b > 3", "NOT ANY a.b > 3"),
      ("not a == 1", "NOT a == 1"),
      ("!(a == 1)", "NOT a == 1"),
      ("!a == 1", "NOT a == 1"),
      ("NOT a == 1 AND b == 2", "NOT a == 1 AND b == 2"),
      ("a==1 && b==2 and c==3", "a == 1 AND b == 2 AND c == 3"),
      ("a==1 && b==2 || c==3", "(a == 1 AND b == 2) OR c == 3"),
      ("a==1 || b==2 && c==3", "a == 1 OR (b == 2 AND c == 3)"),
      ("(a==1 || b==2) && c==3", "(a == 1 OR b == 2) AND c == 3"),
      ("a==1 AND (b==2 AND c==3)", "a == 1 AND (b == 2 AND c == 3)"),
      ("((a + b)) > ((3))", "a + b > 3"),
      ("(a + b) * c > 3", "(a + b) * c > 3"),
      ("truepredicate", "TRUEPREDICATE"),
      ("FALSEPREDICATE OR a == 1", "FALSEPREDICATE OR a == 1"),
      ("SELF == 3", "SELF == 3"),
      ("TERNARY(a > 1 AND b > 1, c, d) == 2", "TERNARY(a > 1 AND b > 1, c, d) == 2"),
      ("name LIKE[cd] 'a?*'", #"name LIKE[cd] "a?*""#),
    ]
  )
  func `a predicate is read as its parts say`(text: String, description: String) throws {
    #expect(try ValuePredicate(format: text).description == description)
  }

  @Test func `a chain of AND is one predicate of its parts`() throws {
    let part = ValuePredicate.comparison(
      .init(.keyPath("a", of: .evaluatedObject), .equalTo, .constant(.integer(1)))
    )
    #expect(
      try ValuePredicate(format: "a == 1 AND a == 1 OR a == 1 AND (a == 1 AND a == 1)")
        == .or([.and([part, part]), .and([part, .and([part, part])])])
    )
  }
}
