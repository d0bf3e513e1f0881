import BulkTestSupport
import Testing

struct AttributeConversionTests {
  private let school: School

  init() throws { school = try School() }

  private func converted(_ text: String, _ attribute: AttributeDescription) throws -> String {
    let expression = try ValueExpression(format: text)
    let entity = try school.entity()
    do throws(ExpressionFault) {
      let program = try ExpressionProgram(expression, of: entity, in: school.model)
      let conversion = try AttributeConversion(of: program.root, to: attribute)
      let page = school.page(of: program.inputs, keys: [1])
      let value = program.evaluate(page, in: School.constants).values[0]
      switch conversion.value(of: value) {
      case .success(let value): return School.text(of: value)
      case .failure(let failure): return "failure: \(failure.message)"
      }
    } catch {
      return "fault: \(error)"
    }
  }

  @Test(
    arguments: [
      ("age", .integer16, "41"), ("age", .integer64, "41"), ("absent", .integer16, "nil"),
      ("height", .integer16, "1"), ("-height", .integer32, "-1"), ("price", .integer64, "9"),
      ("isActive", .integer16, "1"), ("big", .integer64, "9223372036854775807"),
      ("big", .integer16, "failure: 9223372036854775807 does not fit into value, which is Integer"),
      ("height * 1e300", .integer64, "failure: 1.75e+300 does not fit into value"),
      ("height / 0", .integer64, "failure: inf does not fit into value, which is Integer 64"),
      ("age", .double, "41.0"), ("price", .double, "9.99"), ("isActive", .float, "1.0"),
      ("big", .double, "9.223372036854776e+18"), ("age", .boolean, "true"),
      ("age - 41", .boolean, "false"),
      ("height", .boolean, "true"), ("price", .boolean, "true"), ("age", .decimal, "decimal 41"),
      ("height", .decimal, "decimal 1.75"),
      ("height / 0", .decimal, "failure: inf does not fit into value, which is Decimal"),
      ("height * 1e300", .decimal, "failure: 1.75e+300 does not fit into value, which is Decimal"),
      ("name", .string, "'Zoë'"), ("born", .date, "date 3600.5"),
      ("site", .uri, "<https://a.example>"),
      ("data", .binaryData, "[1, 2]"), ("face", .transformable, "[3]"),
      ("data", .transformable, "[1, 2]"),
      ("nil", .uuid, "nil"), ("nil", .objectID, "nil"),
      ("name", .integer16, "fault: Integer 16 and cannot take a string; use CAST"),
      ("age", .string, "fault: String and cannot take an integer; use CAST"),
      ("age", .date, "fault: Date and cannot take an integer; use CAST"),
      ("born", .double, "fault: Double and cannot take a date; use CAST"),
      ("face", .date, "fault: Date and cannot take a transformable value"),
      ("site", .string, "fault: String and cannot take a URI; use CAST"),
      ("face", .binaryData, "fault: Binary and cannot take a transformable value; use CAST"),
      ("clazz", .string, "fault: String and cannot take an object of Clazz"),
      ("courses", .string, "fault: String and cannot take a collection of objects of Course"),
      ("300000", .integer16, "fault: 300000 does not fit into value, which is Integer 16"),
      ("CAST(digits, \"NSNumber\")", .integer16, "12"),
    ] as [(String, AttributeType, String)]
  )
  func `a value becomes the attribute's or is refused`(
    text: String,
    type: AttributeType,
    expected: String
  ) throws {
    let found = try converted(text, .optional("value", type))
    #expect(isAs(found, expected))
  }

  private func risks(_ text: String, _ attribute: AttributeDescription) throws -> [String] {
    let program = try ExpressionProgram(
      ValueExpression(format: text),
      of: school.entity(),
      in: school.model
    )
    let conversion = try AttributeConversion(of: program.root, to: attribute)
    return (program.risks + conversion.risks).map(\.description)
  }

  @Test(
    arguments: [
      ("age", .required("value", .integer16), []),
      ("age", .required("value", .boolean), []),
      ("nick", .optional("value"), []),
      ("nick", .required("value"), ["value must have a value and may get none"]),
      ("clazz.room", .required("value", .integer16), ["value must have a value and may get none"]),
      (
        "big", .optional("value", .integer32),
        ["a value may be outside of the range of value, which is Integer 32"]
      ),
      (
        "age + 1", .required("value", .integer16),
        ["a value may be outside of the range of value, which is Integer 16"]
      ),
      ("age + 1", .required("value", .integer32), []),
      (
        "big + 1", .optional("value", .integer64),
        ["the result of add:to: may not fit into 64 bits"]
      ),
      ("age / 2", .required("value", .integer16), []),
      ("age / age", .optional("value", .integer32), ["divide:by: may divide by zero"]),
      (
        "CAST(name, \"NSNumber\")", .optional("value", .double),
        ["a value may not be castable to NSNumber"]
      ),
      ("CAST(age, \"NSString\")", .required("value"), []),
      ("notes[0].text", .optional("value"), ["an index may be outside of its collection"]),
      ("courses.@count", .required("value", .integer64), []),
      (
        "height", .optional("value", .decimal),
        ["a value may be outside of the range of value, which is Decimal"]
      ),
    ] as [(String, AttributeDescription, [String])]
  )
  func `a plan can tell what may fail in some row`(
    text: String,
    attribute: AttributeDescription,
    expected: [String]
  ) throws {
    #expect(try risks(text, attribute) == expected)
  }
}
