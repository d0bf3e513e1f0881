import BulkMapping
import BulkModel
import Testing

struct PredicateTruthTests {
  private let school: School

  init() throws { school = try School() }

  @Test(
    arguments: [
      // Comparisons of values.
      ("nil == nil", "true"), ("nick == nil", "true"), ("nick != nil", "false"),
      ("name != nil", "true"),
      ("nick == \"a\"", "false"), ("nick != \"a\"", "true"), ("absent < 5", "false"),
      ("absent > 5", "false"),
      ("5 > absent", "false"), ("1 == 1.0", "true"),
      ("isActive == 1", "true"),
      ("isActive == TRUE", "true"), ("isActive > 0.5", "true"), ("1 < 1.5", "true"),
      ("big == 9223372036854775808.0", "false"), ("big < 9223372036854775808.0", "true"),
      ("9007199254740993 > 9007199254740992.0", "true"), ("price == 9.99", "true"),
      ("price > 9", "true"), ("0.1 + 0.2 == 0.3", "false"), ("-0.0 == 0", "true"),
      ("age BETWEEN {41, 50}", "true"), ("age BETWEEN {0, 41}", "true"),
      ("age BETWEEN {42, 50}", "false"),
      ("absent BETWEEN {0, 1}", "false"), ("age BETWEEN {nil, 50}", "false"),
      ("age BETWEEN nil", "false"),
      ("age IN {1, 41.0}", "true"), ("absent IN {nil}", "true"), ("age IN {}", "false"),
      ("age IN nil", "false"),
      ("{1, 2} CONTAINS 2", "true"), ("courses.title CONTAINS \"化学\"", "true"),
      ("\"b\" IN \"abc\"", "true"), ("nil IN \"abc\"", "false"),
      ("clazz == clazz", "true"), ("mentor == clazz", "false"), ("mentor == nil", "true"),
      ("SELF == $source", "true"),
      ("SELF IN courses.@distinctUnionOfSets.students", "true"),
      ("NOT (age > 40)", "false"), ("age > 40 AND age < 42", "true"),
      ("age < 40 || age > 40", "true"),
      ("TRUEPREDICATE", "true"), ("FALSEPREDICATE", "false"),
      ("born > CAST(0, \"NSDate\")", "true"),
      ("born < now()", "true"), ("data == CAST(\"AQI=\", \"NSData\")", "true"),
      // Nil is in order with nil alone.
      ("nil <= nil", "true"), ("nil >= nil", "true"), ("nil < nil", "false"),
      ("nil > nil", "false"), ("absent <= nil", "true"), ("nil >= absent", "true"),
      ("absent < nil", "false"), ("absent > nil", "false"), ("absent <= absent", "true"),
      ("nick >= digits", "false"), ("nick <= nick", "true"), ("age <= nil", "false"),
      ("nil >= age", "false"), ("absent BETWEEN {nil, nil}", "true"),
      ("absent BETWEEN {nil, 5}", "false"), ("absent BETWEEN {0, nil}", "false"),
      ("age BETWEEN {nil, nil}", "false"), ("absent BETWEEN nil", "false"),
      ("ANY {1, nil} <= nil", "true"), ("ALL {1, nil} >= nil", "false"),
      ("ANY {1, nil} < nil", "false"),
      // An empty text begins, ends and lies in nothing.
      ("name BEGINSWITH \"\"", "false"), ("name ENDSWITH \"\"", "false"),
      ("name CONTAINS \"\"", "false"), ("name BEGINSWITH[c] \"\"", "false"),
      ("name ENDSWITH[cd] \"\"", "false"), ("name CONTAINS[d] \"\"", "false"),
      ("name CONTAINS[d] \"\u{301}\"", "false"),
      ("\"\" BEGINSWITH \"\"", "false"), ("\"\" CONTAINS \"\"", "false"),
      ("\"\" IN name", "false"), ("\"\" IN \"\"", "false"), ("\"\" BEGINSWITH name", "false"),
      ("NOT name CONTAINS \"\"", "true"), ("ANY notes.text BEGINSWITH \"\"", "false"),
      ("ALL notes.text CONTAINS \"\"", "false"), ("{\"\"} CONTAINS \"\"", "true"),
      ("\"\" IN {\"a\", \"\"}", "true"), ("nick BEGINSWITH \"\"", "false"),
      ("\"\" LIKE \"\"", "true"), ("name LIKE \"\"", "false"), ("\"\" MATCHES \"\"", "true"),
      // Texts have a length.
      ("name.length == 3", "true"), ("name.length > 3", "false"), ("nick.length == nil", "true"),
      ("mentor.name.length == nil", "true"), ("ANY notes.text.length == 1", "true"),
      ("address.street.length == 11", "true"),
      ("SUBQUERY(notes, $n, $n.text.length > 1).@count == 0", "true"),
      // Comparisons of texts.
      ("name == \"zoë\"", "false"), ("name ==[c] \"zOË\"", "true"), ("name ==[cd] \"zoe\"", "true"),
      ("name ==[d] \"Zoe\"", "true"), ("name ==[c] \"zoe\"", "false"),
      // Composed and decomposed letters differ unless an option asks otherwise.
      ("name == \"Zoe\u{308}\"", "false"), ("name ==[c] \"Zoe\u{308}\"", "true"),
      ("name ==[n] \"Zoë\"", "true"), ("name ==[l] \"Zoë\"", "true"),
      ("name !=[cd] \"zoe\"", "false"),
      ("name BEGINSWITH \"Zo\"", "true"), ("name BEGINSWITH[c] \"zO\"", "true"),
      ("name ENDSWITH \"oë\"", "true"),
      ("name ENDSWITH[d] \"e\"", "true"),
      ("name CONTAINS \"o\"", "true"), ("name CONTAINS[cd] \"OE\"", "true"),
      ("name CONTAINS \"x\"", "false"),
      ("nick BEGINSWITH \"a\"", "false"), ("nick CONTAINS \"a\"", "false"),
      ("name BEGINSWITH nick", "false"),
      ("nick LIKE \"*\"", "false"), ("nick MATCHES \".*\"", "false"),
      ("name LIKE \"Z*\"", "true"), ("name LIKE \"Z??\"", "true"), ("name LIKE \"Z?\"", "false"),
      ("name LIKE[cd] \"z*E\"", "true"), ("\"a*b\" LIKE \"a\\\\*b\"", "true"),
      ("\"axb\" LIKE \"a\\\\*b\"", "false"),
      ("\"a\\nb\" LIKE \"a?b\"", "true"), ("\"a\\nb\" LIKE \"*b\"", "true"),
      ("\"\" LIKE \"*\"", "true"),
      ("\"\" LIKE \"?\"", "false"), ("\"aaab\" LIKE \"*a*b\"", "true"),
      ("\"abc\" LIKE \"\"", "false"),
      ("\"\\\\\" LIKE \"\\\\\"", "true"),
      ("name MATCHES \"Zo.\"", "true"), ("name MATCHES \"Zo\"", "false"),
      ("name MATCHES[c] \"zo.\"", "true"),
      ("\"ab\" MATCHES \"a|ab\"", "true"), ("name MATCHES[cd] \"zoe\"", "true"),
      ("\"😀\" MATCHES \".\"", "true"), ("\"a\\n\" MATCHES \"a\"", "false"),
      ("\"a\" < \"b\"", "true"), ("\"a\" < \"B\"", "false"), ("\"a\" <[c] \"B\"", "true"),
      // By Unicode scalar, which is not the order of UTF-16.
      ("\"\u{FFFF}\" < \"\u{10000}\"", "true"), ("\"\" < \"a\"", "true"),
      // A pattern that only a row holds fails the row.
      (
        "name MATCHES TERNARY(age > 40, \"(\", \"a\")",
        "failure: ( is not a regular expression: at character 1 ( is never closed"
      ),
      (
        "name MATCHES TERNARY(age > 40, \"a(?w)\", \"a\")",
        "failure: a(?w) cannot be matched: at character 4 there is the flag w, which is not supported"
      ),
      ("name MATCHES TERNARY(age > 41, \"(\", \"Zo.\")", "true"),
      // Qualifiers ask the elements.
      ("ANY courses.chapters > 9", "true"), ("ALL courses.chapters > 5", "false"),
      ("ALL courses.chapters >= 5", "true"), ("NONE courses.chapters > 10", "true"),
      ("SOME courses.title == \"物理\"", "true"), ("ANY courses.fee == nil", "false"),
      ("ANY mentor.courses.chapters > 0", "false"), ("ALL mentor.courses.chapters > 0", "true"),
      ("ANY {1, 2} == 2", "true"), ("ALL {} == 1", "true"),
      ("ANY notes.text BEGINSWITH[c] \"C\"", "true"),
      (
        "ANY courses.students.age > 40",
        "fault: > takes numbers, strings or dates, not a collection of integers"
      ),
      ("ANY age > 40", "fault: ANY takes a collection, not an integer"),
      // What can never be compared is refused.
      ("name == 5", "fault: == takes on its other side a string, not an integer"),
      ("age < \"5\"", "fault: < takes on its other side an integer, not a string"),
      ("born > 5", "fault: > takes on its other side a date, not an integer"),
      ("badge < badge", "fault: < takes numbers, strings or dates, not a UUID"),
      ("age LIKE \"4*\"", "fault: LIKE takes strings, not an integer"),
      ("name MATCHES \"(\"", "fault: ( is not a regular expression: at character 1 ( is never"),
      ("name MATCHES digits", "false"),
      ("age BETWEEN {1}", "fault: BETWEEN takes two values in braces, not a collection"),
      ("age BETWEEN 5", "fault: BETWEEN takes two values in braces, not an integer"),
      ("age IN 5", "fault: IN takes a collection or a string, not an integer"),
      ("age IN {\"a\"}", "fault: IN takes on its other side an integer, not a string"),
      ("SELF IN courses.students", "fault: IN takes on its other side an object of Student"),
      ("nmae == nil", "fault: entity Student has no property nmae; did you mean name?"),
    ] as [(String, String)]
  )
  func `a predicate is true or false`(text: String, expected: String) throws {
    let found = try school.truth(text)
    #expect(isAs(found, expected))
  }
}
