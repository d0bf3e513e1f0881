import BulkMapping
import BulkModel
import Testing

@Suite("Methods of Foundation")
struct FoundationMethodTests {
  private let school: School

  init() throws { school = try School() }

  static let examples = MethodReference.sections.flatMap(\.examples)

  @Test func `there are more than one hundred methods`() {
    #expect(Self.examples.count > 100)
    #expect(Set(Self.examples).count == Self.examples.count)
  }

  @Test(arguments: examples)
  func `a method gives what its example says`(example: MethodExample) throws {
    let value = try school.value(example.call)
    #expect(try value == school.value(example.value))
    #expect(!value.hasPrefix("fault"))
  }

  @Test(arguments: examples)
  func `an example is printed as it is read`(example: MethodExample) throws {
    let expression = try ValueExpression(format: example.call)
    #expect(try ValueExpression(format: expression.description) == expression)
  }

  @Test(arguments: examples.filter { !$0.call.contains("'Class'), '") })
  func `nil as the receiver gives nil`(example: MethodExample) throws {
    let expression = try ValueExpression(format: example.call)
    guard case .function(_, let selector, let arguments) = expression else {
      Issue.record("\(example.call) is no call")
      return
    }
    let call = ValueExpression.function(
      target: .constant(.null),
      selector: selector,
      arguments: arguments
    )
    #expect(try school.value(call.description) == "nil")
  }
}
