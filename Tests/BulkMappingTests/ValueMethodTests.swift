import BulkTestSupport
import Testing

// Expected values follow from Apple's references, and from formats/expressions.md 7 where they
// are silent.

struct ValueMethodTests {
  private let school: School

  init() throws { school = try School() }

  @Test(
    arguments: [
      (#"big, "intValue""#, "failure: intValue gives -2147483648 to 2147483647"),
      (#"height, "intValue""#, "1"), (#"isActive, "stringValue""#, "'1'"),
      (#"price, "stringValue""#, "'9.99'"), (#"height, "compare:", 2"#, "-1"),
      (#"age, "isEqualToNumber:", absent"#, "false"), (#"age, "isEqual:", "41""#, "false"),
      (#"absent, "stringValue""#, "nil"),
      (#"born, "dateByAddingTimeInterval:", 0.5"#, "date 3601.0"),
      (#"born, "timeIntervalSince1970""#, "978310800.5"),
      (#"born, "compare:", born"#, "0"), (#"born, "isEqualToDate:", nil"#, "false"),
      (#"born, "description""#, "'2001-01-01 01:00:00 +0000'"),
      (#"data, "length""#, "2"), (#"data, "base64EncodedStringWithOptions:", 0"#, "'AQI='"),
      (#"data, "base64EncodedStringWithOptions:", 1"#, "failure: knows no options but 0"),
      (#"badge, "UUIDString""#, "'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'"),
      (#"site, "absoluteString""#, "'https://a.example'"),
      (#"name, "UUIDString""#, "fault: UUIDString is sent to a string, which does not respond"),
      (#"CAST("NSDate", "Class"), "dateWithTimeIntervalSince1970:", age"#, "date -978307159.0"),
      (#"CAST("NSDate", "Class"), "dateWithTimeIntervalSince1970:", absent"#, "nil"),
      (
        #"CAST("NSDate", "Class"), "dateWithTimeIntervalSince1971:", 1"#,
        "fault: dateWithTimeIntervalSince1971: cannot be called; did you mean "
          + "dateWithTimeIntervalSince1970:?"
      ),
      (#"CAST("NSFoo", "Class"), "foo""#, "fault: the class NSFoo cannot be evaluated row by row"),
      (#"clazz, "length""#, "fault: length is sent to an object of Clazz, which does not respond"),
    ] as [(String, String)]
  )
  func `numbers, dates and data answer`(call: String, expected: String) throws {
    let found = try school.value("FUNCTION(\(call))")
    #expect(isAs(found, expected))
  }

  @Test(
    arguments: [
      (#"FUNCTION(courses, "count")"#, "3"), ("courses[SIZE]", "3"), ("mentor.courses[SIZE]", "0"),
      (#"FUNCTION(notes, "firstObject").text"#, "'c'"),
      (#"FUNCTION(notes, "lastObject").text"#, "'a'"),
      (#"FUNCTION(notes, "objectAtIndex:", 1).text"#, "'a'"),
      (#"FUNCTION(notes, "objectAtIndex:", 3).text"#, "failure: an index is outside of its 3"),
      (#"FUNCTION(courses, "objectAtIndex:", 0).title"#, "failure: a set has no order, so [ ]"),
      (#"FUNCTION(FUNCTION(courses, "allObjects"), "objectAtIndex:", 1).title"#, "'化学'"),
      (#"FUNCTION(notes.text, "componentsJoinedByString:", "-")"#, "'c-a'"),
      (#"FUNCTION(FUNCTION(notes, "array").text, "componentsJoinedByString:", "-")"#, "'c-a-a'"),
      (#"FUNCTION(courses.chapters, "sortedArrayUsingSelector:", "compare:")"#, "array(5, 9, 10)"),
      (
        #"FUNCTION({"b", "A", "a"}, "sortedArrayUsingSelector:", "caseInsensitiveCompare:")"#,
        "array('A', 'a', 'b')"
      ),
      (#"FUNCTION({}, "sortedArrayUsingSelector:", "compare:")"#, "array()"),
      (
        #"FUNCTION({1, name}, "sortedArrayUsingSelector:", "compare:")"#,
        "failure: sortedArrayUsingSelector: by compare: cannot order a string, an integer"
      ),
      (
        #"FUNCTION({1}, "sortedArrayUsingSelector:", "length")"#,
        "fault: sortedArrayUsingSelector: takes the selector compare: or caseInsensitiveCompare:, not "
          + "length"
      ),
      (#"FUNCTION({1, 2}, "containsObject:", 2.0)"#, "true"),
      (#"FUNCTION({1, nil}, "containsObject:", nil)"#, "false"),
      (#"FUNCTION({1, 2}, "indexOfObject:", 3)"#, "9223372036854775807"),
      (#"FUNCTION({1}, "arrayByAddingObject:", "a")"#, "array(1, 'a')"),
      (#"FUNCTION(clazz, "isEqual:", clazz)"#, "true"),
      (#"FUNCTION(clazz, "isEqual:", mentor)"#, "false"),
      (#"FUNCTION(nick, "componentsSeparatedByString:", ",")[SIZE]"#, "0"),
      (#"FUNCTION(name, "componentsSeparatedByString:", "o")[FIRST]"#, "'Z'"),
      (#"FUNCTION(name, "componentsSeparatedByString:", "o")[1]"#, "'ë'"),
      (#"FUNCTION(name, "componentsSeparatedByString:", "o").@count"#, "2"),
      (#"TERNARY("ë" IN FUNCTION(name, "componentsSeparatedByString:", "o"), 1, 2)"#, "1"),
    ] as [(String, String)]
  )
  func `collections answer`(text: String, expected: String) throws {
    let found = try school.value(text)
    #expect(isAs(found, expected))
  }

  @Test func `no attribute takes a collection`() throws {
    let program = try ExpressionProgram(
      ValueExpression(format: #"FUNCTION(name, "componentsSeparatedByString:", ",")"#),
      of: school.entity(),
      in: school.model
    )
    let text = failure { try AttributeConversion(of: program.root, to: .optional("value")) }
    #expect(
      text == "attribute value is String and cannot take a collection of strings; take "
        + "one element, as in [FIRST], or join them with componentsJoinedByString:"
    )
  }
}
