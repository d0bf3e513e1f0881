import BulkMapping
import BulkModel
import Testing

struct CastTests {
  private let school: School

  init() throws { school = try School() }

  @Test(
    arguments: [
      ("CAST(digits, \"NSNumber\")", "12"), ("CAST(\"1.5\", \"NSNumber\")", "1.5"),
      ("CAST(\"-7\", \"NSNumber\")", "-7"), ("CAST(\"1e3\", \"NSNumber\")", "1000.0"),
      ("CAST(\"inf\", \"NSNumber\")", "inf"), ("CAST(nick, \"NSNumber\")", "nil"),
      ("CAST(\"abc\", \"NSNumber\")", "fault: \"abc\" cannot be cast to NSNumber"),
      ("CAST(\"\", \"NSNumber\")", "fault: \"\" cannot be cast to NSNumber"),
      ("CAST(\"1 \", \"NSNumber\")", "fault: \"1 \" cannot be cast to NSNumber"),
      ("CAST(\"0x10\", \"NSNumber\")", "fault: \"0x10\" cannot be cast to NSNumber"),
      ("CAST(name, \"NSNumber\")", "failure: \"Zoë\" cannot be cast to NSNumber"),
      ("CAST(born, \"NSNumber\")", "3600.5"), ("CAST(TRUE, \"NSNumber\")", "true"),
      ("CAST(age, \"NSString\")", "'41'"), ("CAST(height, \"NSString\")", "'1.75'"),
      ("CAST(3.0, \"NSString\")", "'3'"), ("CAST(1e300, \"NSString\")", "'1e+300'"),
      ("CAST(isActive, \"NSString\")", "'1'"), ("CAST(price, \"NSString\")", "'9.99'"),
      ("CAST(born, \"NSString\")", "'2001-01-01 01:00:00 +0000'"),
      ("CAST(CAST(-1, \"NSDate\"), \"NSString\")", "'2000-12-31 23:59:59 +0000'"),
      ("CAST(CAST(700000000, \"NSDate\"), \"NSString\")", "'2023-03-08 20:26:40 +0000'"),
      ("CAST(CAST(-63114076800, \"NSDate\"), \"NSString\")", "'0000-12-30 00:00:00 +0000'"),
      ("CAST(badge, \"NSString\")", "'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'"),
      ("CAST(site, \"NSString\")", "'https://a.example'"), ("CAST(data, \"NSString\")", "'AQI='"),
      ("CAST(5, \"NSDate\")", "date 5.0"), ("CAST(height, \"NSDate\")", "date 1.75"),
      ("CAST(\"2001-01-02 00:00:00 +0000\", \"NSDate\")", "date 86400.0"),
      ("CAST(\"2000-02-29 12:00:00 +0130\", \"NSDate\")", "date -26487000.0"),
      (
        "CAST(\"2001-02-29 00:00:00 +0000\", \"NSDate\")",
        "fault: \"2001-02-29 00:00:00 +0000\" cannot be cast to NSDate; \(Self.dateForms)"
      ),
      ("CAST(0.1, \"NSDecimalNumber\")", "decimal 0.1"),
      ("CAST(\"9.99\", \"NSDecimalNumber\")", "decimal 9.99"),
      ("CAST(\"9,99\", \"NSDecimalNumber\")", "fault: \"9,99\" cannot be cast to NSDecimalNumber"),
      ("CAST(\"AQI=\", \"NSData\")", "[1, 2]"),
      ("CAST(\"A\", \"NSData\")", "fault: \"A\" cannot be cast to NSData"),
      (
        "CAST(\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\", \"NSUUID\")",
        "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
      ),
      ("CAST(\"E621\", \"NSUUID\")", "fault: \"E621\" cannot be cast to NSUUID"),
      ("CAST(\"x:y\", \"NSURL\")", "<x:y>"), ("FUNCTION(CAST('x:y', 'NSURL'), 'path')", "nil"),
      ("CAST(nil, \"NSDate\")", "nil"),
      ("CAST(age, \"NSNumbr\")", "fault: CAST knows no type NSNumbr; did you mean NSNumber?"),
      ("CAST(data, \"NSNumber\")", "fault: CAST to NSNumber takes a number, a date or a string"),
      ("CAST(clazz, \"NSString\")", "fault: CAST takes a value of an attribute, not an object"),
    ] as [(String, String)]
  )
  func `a cast gives the value in another type`(text: String, expected: String) throws {
    let found = try school.value(text)
    #expect(isAs(found, expected))
  }

  private static let dateForms =
    "write 2001-12-31, 2001-12-31T23:59:59.5+01:00 or 2001-12-31 23:59:59 +0000"

  @Test(
    arguments: [
      ("2001-01-02", 86_400), ("2001-01-01T00:01", 60), ("2001-01-01 00:00:30", 30),
      ("2001-01-01T00:00:30.25Z", 30.25), ("2001-01-01t00:00:30,5z", 30.5),
      ("2001-01-01T00:00:00+01:00", -3600), ("2001-01-01T00:00-0130", 5400),
      ("2001-01-01T00:00:01 +01", -3599), ("2000-12-31T23:59:59.5", -0.5),
      ("0001-01-01", -63_113_904_000), ("2001-01-01 00:00:00 UTC", nil), ("2001-1-2", nil),
      ("2001-13-01", nil), ("2001-02-29", nil), ("2001-01-01T", nil), ("2001-01-01T24:00", nil),
      ("2001-01-01T00:60", nil), ("2001-01-01T00:00:60", nil), ("2001-01-01T00:00:00.", nil),
      ("2001-01-01T00:00:00+", nil), ("2001-01-01T00:00:00+1:00", nil), ("2001-01-01Z", nil),
      ("2001-01-01T00:00:00+01:", nil), ("2001-01-01 ", nil), (" 2001-01-01", nil),
      ("2001-01-01T00:00:00 ", nil), ("20010102", nil), ("yesterday", nil), ("", nil),
    ] as [(String, Double?)]
  )
  func `a text is cast to a date in the forms that the refusal names`(
    text: String,
    seconds: Double?
  ) throws {
    let found = try school.value("CAST(\"\(text)\", \"NSDate\")")
    let refusal = "fault: \"\(text)\" cannot be cast to NSDate; \(Self.dateForms)"
    #expect(isAs(found, seconds.map { "date \($0)" } ?? refusal))
  }
}
