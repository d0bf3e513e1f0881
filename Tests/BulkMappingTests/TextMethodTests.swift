import BulkMapping
import BulkModel
import Testing

// Expected values follow from Apple's reference of NSString and NSArray, and from the table in
// formats/expressions.md 7 where it is silent.

struct TextMethodTests {
  private let school: School

  init() throws { school = try School() }

  /// A call with a receiver, a selector and arguments.
  private func value(_ call: String, student: Int64 = 1) throws -> String {
    try school.value("FUNCTION(\(call))", student: student)
  }

  @Test(
    arguments: [
      // A text is divided at each place of a separator.
      (#""a,b,,c", "componentsSeparatedByString:", ",""#, "array('a', 'b', '', 'c')"),
      (#""", "componentsSeparatedByString:", ",""#, "array('')"),
      (#"",", "componentsSeparatedByString:", ",""#, "array('', '')"),
      (#""ab", "componentsSeparatedByString:", """#, "array('ab')"),
      (#""aaa", "componentsSeparatedByString:", "aa""#, "array('', 'a')"),
      (#"name, "componentsSeparatedByString:", "o""#, "array('Z', 'ë')"),
      (#"nick, "componentsSeparatedByString:", ",""#, "nil"),
      (#"name, "componentsSeparatedByString:", nick"#, "failure: takes a string, not nil"),
      (
        #"age, "componentsSeparatedByString:", ",""#,
        "fault: componentsSeparatedByString: is sent to an integer, which does not respond to it"
      ),
      (#"name, "componentsSeparatedByString:", 1"#, "fault: takes a string, not an integer"),
      (
        #"name, "componentSeparatedByString:", """#,
        "fault: componentSeparatedByString: cannot be called; did you mean "
          + "componentsSeparatedByString:?"
      ),
      // Values of a collection are joined to a text.
      (#"{"a", "b"}, "componentsJoinedByString:", "-""#, "'a-b'"),
      (#"{}, "componentsJoinedByString:", "-""#, "''"),
      (#"{1, 2.5, TRUE}, "componentsJoinedByString:", ", ""#, "'1, 2.5, 1'"),
      (#"{1, nil}, "componentsJoinedByString:", ", ""#, "fault: takes values, not nil"),
      (
        #"FUNCTION(name, "componentsSeparatedByString:", "o"), "componentsJoinedByString:", "00""#,
        "'Z00ë'"
      ),
      // Indexes are code units of UTF-16.
      (#""a😀b", "substringFromIndex:", 3"#, "'b'"), (#""a😀b", "substringToIndex:", 1"#, "'a'"),
      (#""a😀b", "substringToIndex:", 4"#, "'a😀b'"), (#""", "substringFromIndex:", 0"#, "''"),
      (#""e\u0301x", "substringToIndex:", 1"#, "'e'"),
      (#""a😀b", "substringWithRange:", {1, 2}"#, "'😀'"),
      (#""ab", "substringWithRange:", {2, 0}"#, "''"),
      (#"name, "substringToIndex:", 2.9"#, "'Zo'"),
      (#""a😀b", "substringToIndex:", 2"#, "fault: cuts at 2, between the two code units of one"),
      (#""a😀b", "substringWithRange:", {0, 2}"#, "fault: cuts at 2, between the two code units"),
      (#"name, "substringToIndex:", 4"#, "failure: asks for 4 of a text of 3 code units"),
      (#"name, "substringFromIndex:", -1"#, "failure: asks for -1 of a text of 3 code units"),
      (#"name, "substringWithRange:", {2, 2}"#, "failure: takes a range within 0 ..< 3, not {2"),
      (
        #"name, "substringWithRange:", {1, 9223372036854775807}"#,
        "failure: substringWithRange: takes a range within 0 ..< 3, not {1, 9223372036854775807}"
      ),
      (#"name, "substringWithRange:", {1}"#, "failure: takes a range {location, length}"),
      (#"name, "substringToIndex:", absent"#, "failure: substringToIndex: takes a number, not nil"),
      // Searches find canonical equivalents with all of their marks.
      (#""\u00e9t", "hasPrefix:", "e\u0301""#, "true"),
      (#""e\u0301t", "hasPrefix:", "\u00e9""#, "true"),
      (#""e\u0301t", "hasPrefix:", "e""#, "false"),
      (#""ae\u0301", "hasSuffix:", "\u00e9""#, "true"),
      (#""ae\u0301", "hasSuffix:", "\u0301""#, "false"), (#""abc", "hasSuffix:", "abcd""#, "false"),
      (#""", "hasPrefix:", "a""#, "false"), (#""", "hasSuffix:", "a""#, "false"),
      (#""", "containsString:", "a""#, "false"), (#""abc", "hasPrefix:", """#, "false"),
      (#""abc", "hasSuffix:", """#, "false"),
      (#""abc", "containsString:", """#, "false"), (#""한글", "containsString:", "한""#, "true"),
      (#""aa", "rangeOfString:", "b""#, "array(9223372036854775807, 0)"),
      (#""aaab", "rangeOfString:", "aab""#, "array(1, 3)"),
      (#""ababac", "rangeOfString:", "abac""#, "array(2, 4)"),
      (#""aa\u0301aab", "rangeOfString:", "aab""#, "array(3, 3)"),
      (#""e\u0301e", "rangeOfString:", "e""#, "array(2, 1)"),
      (
        #""a\u0301\u0301\u0301", "rangeOfString:", "\u0301\u0301""#, "array(9223372036854775807, 0)"
      ),
      (#""😀\u00e9x", "rangeOfString:", "e\u0301""#, "array(2, 1)"),
      (
        #""a\u00e9 ae\u0301 ae", "stringByReplacingOccurrencesOfString:withString:", "\u00e9", "-""#,
        "'a- a- ae'"
      ),
      (#""aaa", "stringByReplacingOccurrencesOfString:withString:", "aa", "b""#, "'ba'"),
      (#""abc", "stringByReplacingOccurrencesOfString:withString:", "", "b""#, "'abc'"),
      (#""\u00e9", "isEqualToString:", "e\u0301""#, "false"),
      (#"name, "isEqualToString:", nick"#, "false"),
      (#""\u00e9", "compare:", "e\u0301""#, "0"), (#""\u00e9", "compare:", "f""#, "-1"),
      (#""b", "compare:", "a""#, "1"), (#""STRASSE", "caseInsensitiveCompare:", "straße""#, "0"),
      // Characters of a set are cut off and divide.
      (#"" \t\na b\u00a0\r", "stringByTrimmingCharactersInSet:", \#(spaces)"#, "'a b'"),
      (#"" ", "stringByTrimmingCharactersInSet:", \#(spaces)"#, "''"),
      (#""a,b;c", "componentsSeparatedByCharactersInSet:", \#(commas)"#, "array('a', 'b', 'c')"),
      (#""a,b", "stringByTrimmingCharactersInSet:", FUNCTION(\#(commas), "invertedSet")"#, "','"),
      (
        #"name, "stringByTrimmingCharactersInSet:", " ""#,
        "fault: stringByTrimmingCharactersInSet: takes a set of characters of CAST(\"NSCharacterSet\", "
          + "\"Class\"), not a string"
      ),
      (
        #"name, "stringByTrimmingCharactersInSet:", "#
          + #"FUNCTION(CAST("NSCharacterSet", "Class"), "whitespacesCharacterSet")"#,
        "fault: whitespacesCharacterSet cannot be called; did you mean whitespaceCharacterSet?"
      ),
      (#""ǆ ΑΣ\taB-cD_e 1a", "capitalizedString""#, "'ǅ Ας\tAb-Cd_E 1A'"),
      (#""it's u.s. ΑΣ-ΑΣ", "capitalizedString""#, "'It's U.s. Ας-Ας'"),
    ] as [(String, String)]
  )
  func `a text answers`(call: String, expected: String) throws {
    let found = try value(call)
    #expect(isAs(found, expected))
  }

  private static let spaces =
    #"FUNCTION(CAST("NSCharacterSet", "Class"), "whitespaceAndNewlineCharacterSet")"#
  private static let commas =
    #"FUNCTION(CAST("NSCharacterSet", "Class"), "characterSetWithCharactersInString:", ",;")"#

  /// The time of a naive search is the product of both lengths.
  @Test func `a search takes time in proportion to the texts`() throws {
    let text = String(repeating: "a", count: 50_000)
    let start = ContinuousClock.now
    for call in [
      #""containsString:", "\#(text)b""#,
      #""stringByReplacingOccurrencesOfString:withString:", "\#(text)b", "c""#,
    ] {
      #expect(try value(#""\#(text + text)", \#(call)"#) != "")
    }
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test(
    arguments: [
      ("integerValue", " \\t-12x", "-12"), ("integerValue", "x", "0"), ("integerValue", "", "0"),
      ("integerValue", "9223372036854775808", "9223372036854775807"),
      ("integerValue", "-99999999999999999999", "-9223372036854775808"),
      ("intValue", "3000000000", "2147483647"), ("intValue", "-3000000000", "-2147483648"),
      ("doubleValue", " -1.5e2x", "-150.0"), ("doubleValue", "1e", "1.0"),
      ("doubleValue", ".5", "0.5"), ("doubleValue", "5.", "5.0"), ("doubleValue", ".", "0.0"),
      ("doubleValue", "1e999999999999", "inf"), ("doubleValue", "1e-999999999999", "0.0"),
      ("doubleValue", "0x10", "0.0"), ("doubleValue", "nan", "0.0"), ("doubleValue", "inf", "0.0"),
      ("floatValue", "0.1", "0.10000000149011612"), ("boolValue", " -001", "true"),
      ("boolValue", "0", "false"), ("boolValue", "t", "true"), ("boolValue", "no", "false"),
    ]
  )
  func `a text is read as the number it begins with`(
    selector: String,
    text: String,
    expected: String
  ) throws {
    #expect(try value(#""\#(text)", "\#(selector)""#) == expected)
  }
}
