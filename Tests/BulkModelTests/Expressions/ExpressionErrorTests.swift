import BulkModel
import Testing

@Suite struct ExpressionErrorTests {
  @Test(
    arguments: [
      ("", "1:1: found the end, expected a value"),
      ("  ", "1:3: found the end, expected a value"),
      ("a +", "1:4: found the end, expected a value"),
      ("a + )", "1:5: found ')', expected a value"),
      ("a b", "1:3: found 'b', expected an operator or the end"),
      ("(a", "1:3: found the end, expected an operator or ')'"),
      ("{1 2}", "1:4: found '2', expected ',' or '}'"),
      ("a.", "1:3: found the end, expected a key"),
      ("a.5", "1:3: found '5', expected a key"),
      ("a[1", "1:4: found the end, expected ']'"),
      ("a == 1", "1:1: found a predicate, expected a value"),
      ("1 + (a == 1)", "1:5: found a predicate, expected a value"),
      ("in", "1:1: found 'in', expected a value; write #in for a key of that name"),
      ("$ ", "1:2: found ' ', expected a name after $"),
      ("a ; b", "1:3: found ';', expected a value or an operator"),
      ("12abc", "1:1: 12abc is not a number"),
      ("1.5x", "1:1: 1.5x is not a number"),
      ("1e", "1:1: 1e is not a number"),
      ("0b12", "1:1: 0b12 is not a number"),
      ("0x", "1:1: 0x is not a number"),
      ("1e999", "1:1: 1e999 does not fit into 64 bits"),
      ("a + 9223372036854775808", "1:5: 9223372036854775808 does not fit into 64 bits"),
      ("99999999999999999999", "1:1: 99999999999999999999 does not fit into 64 bits"),
      ("'abc", "1:1: the string that begins here has no end"),
      (#"'\d{13}'"#, #"1:2: invalid escape sequence \d; write \\ for a backslash"#),
      (#"'\ud83d'"#, #"1:2: invalid escape sequence \ud83d; write \\ for a backslash"#),
      ("a +\n  %@", "2:3: %@ stands for an argument of code, which a text does not have"),
      ("upercase:(a)", "1:1: unknown function upercase:; did you mean uppercase:?"),
      ("lowercas(a)", "1:1: unknown function lowercas; did you mean lowercase:?"),
      ("modulus(a, b)", "1:1: unknown function modulus; did you mean modulus:by:?"),
      ("FUNKTION($a, 'b')", "1:1: unknown function FUNKTION; did you mean FUNCTION?"),
      ("mod:by:(a, 2)", "1:1: unknown function mod:by:; did you mean modulus:by:?"),
      ("upper:(a)", "1:1: unknown function upper:; did you mean uppercase:?"),
      ("UPPER(a)", "1:1: unknown function UPPER; did you mean uppercase:?"),
      (
        "zzzzzzzzzz(a)",
        "1:1: unknown function zzzzzzzzzz; bulkmigrate help expressions lists all"
      ),
      ("now(1)", "1:1: now takes 0 arguments, not 1"),
      ("sqrt()", "1:1: sqrt: takes 1 argument, not 0"),
      ("modulus:by:(a)", "1:1: modulus:by: takes 2 arguments, not 1"),
      ("FUNCTION($manager, a)", "1:20: found 'a', expected a selector in quotes"),
      ("FUNCTION($manager, 'a' b)", "1:24: found 'b', expected ',' or ')'"),
      ("CAST(a, 3)", "1:9: found '3', expected a type in quotes"),
      ("SUBQUERY(a, b, c == 1)", "1:13: found 'b', expected a variable"),
      ("TERNARY(a, 1, 2)", "1:10: found ',', expected a comparison such as '=='"),
      ("FETCH(a, b, 3)", "1:13: found '3', expected YES or NO"),
    ]
  )
  func `a text that is not an expression is refused with place and reason`(
    text: String,
    message: String
  ) throws {
    let error = try #require(throws: ExpressionError.self) { try ValueExpression(format: text) }
    #expect(error.description == message)
  }

  @Test(
    arguments: [
      ("a", "1:2: found the end, expected a comparison such as '=='"),
      ("a AND b == 1", "1:3: found 'AND', expected a comparison such as '=='"),
      ("a == b == c", "1:1: found a predicate, expected a value"),
      ("a == 1 AND", "1:11: found the end, expected a value"),
      ("a == NOT b", "1:6: found 'NOT', expected a value; write #NOT for a key of that name"),
      ("ANY (a == 1)", "1:13: found the end, expected a comparison such as '=='"),
      ("a CONTAINS[x] b", "1:12: found 'x', expected the options c, d, n and l"),
      ("a CONTAINS[1] b", "1:12: found '1', expected options such as [cd]"),
      ("a CONTAINS[c b", "1:14: found 'b', expected ']'"),
      ("a CONTAINS 'b' 'c'", "1:16: found ''c'', expected an operator or the end"),
      (
        "ANYKEY == 1", "1:1: found 'ANYKEY', expected a value; write #ANYKEY for a key of that name"
      ),
    ]
  )
  func `a text that is not a predicate is refused with place and reason`(
    text: String,
    message: String
  ) throws {
    let error = try #require(throws: ExpressionError.self) { try ValuePredicate(format: text) }
    #expect(error.description == message)
  }

  @Test func `an error knows its line, its column and its offset`() throws {
    let error = try #require(throws: ExpressionError.self) {
      try ValuePredicate(format: "größe > 1\r\nAND b ==\n\tAND")
    }
    #expect(error.line == 3)
    #expect(error.column == 2)
    #expect(error.offset == 21)
    #expect(
      error.reason
        == .unexpected(found: "'AND'", expected: "a value; write #AND for a key of that name")
    )
  }

  @Test func `an excerpt shows the line with a caret under the place`() throws {
    let error = try #require(throws: ExpressionError.self) {
      try ValueExpression(format: "{1,\n\t$source.a * ), 2}")
    }
    #expect(error.excerpt == "\t$source.a * ), 2}\n\t            ^")
  }

  @Test func `an excerpt at the end of the text has its caret behind the text`() throws {
    let error = try #require(throws: ExpressionError.self) { try ValueExpression(format: "a +") }
    #expect(error.excerpt == "a +\n   ^")
  }
}
