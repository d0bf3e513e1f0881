import BulkMapping
import BulkModel
import Testing

// Expected values follow from Apple's reference of NSString and NSArray, and from the table in
// Plans/expressions.md where it is silent.

@Suite("Methods of texts")
struct TextMethodTests {
  private let school: School

  init() throws { school = try School() }

  /// A call with a receiver, a selector and arguments.
  private func value(_ call: String, student: Int64 = 1) throws -> String {
    try school.value("FUNCTION(\(call))", student: student)
  }

  @Test(
    arguments: [
      (#""a,b,,c", "componentsSeparatedByString:", ",""#, "array('a', 'b', '', 'c')"),
      (#""", "componentsSeparatedByString:", ",""#, "array('')"),
      (#"",", "componentsSeparatedByString:", ",""#, "array('', '')"),
      (#""ab", "componentsSeparatedByString:", """#, "array('ab')"),
      (#""aaa", "componentsSeparatedByString:", "aa""#, "array('', 'a')"),
      (#"name, "componentsSeparatedByString:", "o""#, "array('Z', 'ë')"),
      (#"nick, "componentsSeparatedByString:", ",""#, "nil"),
      (
        #"name, "componentsSeparatedByString:", nick"#,
        "failure: componentsSeparatedByString: takes a string, not nil"
      ),
      (
        #"age, "componentsSeparatedByString:", ",""#,
        "fault: componentsSeparatedByString: is asked of an integer, which does not know it"
      ),
      (
        #"name, "componentsSeparatedByString:", 1"#,
        "fault: componentsSeparatedByString: takes a string, not an integer"
      ),
      (
        #"name, "componentSeparatedByString:", """#,
        "fault: componentSeparatedByString: cannot be called; did you mean "
          + "componentsSeparatedByString:?"
      ),
    ]
  )
  func `a text is divided at each place of a separator`(call: String, expected: String) throws {
    #expect(try value(call) == expected)
  }

  @Test(
    arguments: [
      (#"{"a", "b"}, "componentsJoinedByString:", "-""#, "'a-b'"),
      (#"{}, "componentsJoinedByString:", "-""#, "''"),
      (#"{1, 2.5, TRUE}, "componentsJoinedByString:", ", ""#, "'1, 2.5, 1'"),
      (
        #"{1, nil}, "componentsJoinedByString:", ", ""#,
        "fault: componentsJoinedByString: takes values, not nil"
      ),
      (
        #"FUNCTION(name, "componentsSeparatedByString:", "o"), "componentsJoinedByString:", "00""#,
        "'Z00ë'"
      ),
    ]
  )
  func `values of a collection are joined to a text`(call: String, expected: String) throws {
    #expect(try value(call) == expected)
  }
}
