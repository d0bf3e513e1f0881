import BulkTestSupport
import Testing

/// Texts of letters, marks, emoji and separators, drawn from fixed seeds.
struct SplitTextTests {
  private let school: School

  init() throws { school = try School() }

  private static let pieces = [
    "a", "b", ",", ", ", ",,", "é", "e\u{301}", "\u{301}", "\u{328}\u{301}", "😀", "👩‍👩‍👧", "🇩🇪",
    "한", "\u{1112}\u{1161}", "\0", "\n", "\u{2028}", "ß", "İ", "\u{200D}", "\u{FE0F}", "\u{10FFFF}",
  ]
  private static let separators = [
    ",", ", ", ",,", "\u{301}", "é", "😀", "👩", "\0", "a", "\u{2028}", "",
  ]

  /// A text of up to twelve pieces; every tenth or so is empty.
  private static func text(_ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...12, using: &generator))
      .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
  }

  private func value(_ expression: ValueExpression, name: String) throws -> EvaluatedValue {
    let program = try ExpressionProgram(expression, of: school.entity(), in: school.model)
    let page = ValuePage(
      keys: [1],
      columns: Dictionary(
        uniqueKeysWithValues: program.inputs.map { ($0, [.attribute(.string(name))]) }
      )
    )
    let result = program.evaluate(page, in: School.constants)
    #expect(result.failures == [])
    return result.values[0]
  }

  private static func call(
    _ selector: String,
    of target: ValueExpression,
    _ arguments: ValueExpression...
  ) -> ValueExpression {
    .function(target: target, selector: selector, arguments: arguments)
  }

  private static func bytes(_ value: EvaluatedValue) -> [UInt8]? {
    guard case .attribute(.string(let text)) = value else { return nil }
    return Array(text.utf8)
  }

  @Test(arguments: UInt64(1)...200)
  func `the parts of a text, joined again, are the text`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let name = Self.text(&generator)
    let separator = Self.separators.randomElement(using: &generator) ?? ""
    let constant = ValueExpression.constant(.string(separator))
    let parts = Self.call(
      "componentsSeparatedByString:",
      of: .keyPath("name", of: .evaluatedObject),
      constant
    )
    let joined = Self.call("componentsJoinedByString:", of: parts, constant)
    #expect(Self.bytes(try value(joined, name: name)) == Array(name.utf8))
    guard case .collection(let collection) = try value(parts, name: name) else {
      Issue.record("the parts are not a collection")
      return
    }
    #expect(collection.kind == .array)
    let wanted = Array(separator.utf8)
    for part in collection.elements where !wanted.isEmpty {
      let bytes = Self.bytes(part) ?? []
      #expect(bytes.indices.allSatisfy { !bytes[$0...].starts(with: wanted) })
    }
  }

  @Test(arguments: UInt64(1)...200)
  func `the two sides of an index, joined again, are the text`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let name = Self.text(&generator)
    let key = ValueExpression.keyPath("name", of: .evaluatedObject)
    for (offset, index) in zip(0..., name.unicodeScalars.indices + [name.endIndex])
    where offset < 40 {
      let place = name.utf16.distance(from: name.startIndex, to: index)
      let constant = ValueExpression.constant(.integer(Int64(place)))
      let whole = Self.call(
        "stringByAppendingString:",
        of: Self.call("substringToIndex:", of: key, constant),
        Self.call("substringFromIndex:", of: key, constant)
      )
      #expect(Self.bytes(try value(whole, name: name)) == Array(name.utf8))
    }
  }
}
