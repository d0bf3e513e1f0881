import BulkMapping
import BulkModel
import Foundation
import Testing

struct FoundationMethodTests {
  private let school: School

  init() throws { school = try School() }

  static let examples = FunctionReference.methods.flatMap(\.examples)
  static let functions = FunctionReference.functions.flatMap(\.examples)

  @Test func `every method has an example of its own`() {
    #expect(Self.examples.count > 60)
    #expect(Set(Self.examples).count == Self.examples.count)
  }

  @Test(
    arguments: [
      ("age", "shortValue", "floatValue"), ("height", "decimalValue", nil),
      ("born", "timeIntervalSinceNow", "timeIntervalSince1970"),
      ("data", "isEqualToData:", "isEqualToDate:"),
      ("name", "stringByRemovingPercentEncoding", nil), ("name", "pathExtension", nil),
      ("{1, 2}", "isEqualToArray:", "isEqualToDate:"), ("{1, 2}", "member:", nil),
    ] as [(String, String, String?)]
  )
  func `a method that is not in the tables is refused with the nearest`(
    receiver: String,
    selector: String,
    nearest: String?
  ) throws {
    let count = PredefinedFunction.argumentCount(of: selector)
    let arguments = String(repeating: ", 1", count: count)
    let hint = nearest.map { "; did you mean \($0)?" } ?? ""
    #expect(
      try school.value("FUNCTION(\(receiver), '\(selector)'\(arguments))")
        == "fault: \(selector) cannot be called\(hint)"
    )
  }

  /// Two functions are of no use for values: distances on the globe, and the name of an operator.
  @Test func `every function that NSExpression names has an example`() throws {
    let calls = try Self.functions.map { try ValueExpression(format: $0.call) }
    let selectors = PredefinedFunction.selectors.filter { $0 != "distanceToLocation:fromLocation:" }
    for selector in selectors {
      #expect(calls.contains { $0.calls(selector) }, "\(selector)")
    }
  }

  @Test(arguments: functions)
  func `a function gives what its example says`(example: Function.Example) throws {
    let value = try school.value(example.call)
    #expect(try value == school.value(example.value))
    #expect(!value.hasPrefix("fault"))
  }

  @Test func `the page about expressions lists every function and every method`() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Plans/formats/expressions.md")
    let lines = Set(try String(contentsOf: page, encoding: .utf8).split(separator: "\n"))
    for example in Self.functions + Self.examples {
      let line = "| `\(example.call)` | `\(example.value)` |"
      #expect(lines.contains(Substring(line)), "\(line)")
    }
  }

  @Test(arguments: examples)
  func `a method gives what its example says`(example: Function.Example) throws {
    let value = try school.value(example.call)
    #expect(try value == school.value(example.value))
    #expect(!value.hasPrefix("fault"))
  }

  @Test(arguments: examples)
  func `an example is printed as it is read`(example: Function.Example) throws {
    let expression = try ValueExpression(format: example.call)
    #expect(try ValueExpression(format: expression.description) == expression)
  }

  @Test(arguments: examples.filter { !$0.call.contains("'Class'), '") })
  func `nil as the receiver gives nil`(example: Function.Example) throws {
    let expression = try ValueExpression(format: example.call)
    guard case .function(_, let selector, let arguments) = expression else {
      Issue.record("\(example.call) is not a call")
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

extension ValueExpression {
  /// Whether a function is called, outside of all others or as the first factor.
  fileprivate func calls(_ wanted: String) -> Bool {
    guard case .predefined(let selector, let arguments) = self else { return false }
    return selector == wanted || arguments.first?.calls(wanted) == true
  }
}
