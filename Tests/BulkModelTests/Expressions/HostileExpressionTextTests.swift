import BulkTestSupport
import class Foundation.Thread
import Testing

@Suite struct HostileExpressionTextTests {
  private static let long = #"""
    TERNARY(ANY $source.a.@sum.b >= -0x1F AND NOT (c BETWEEN {1.5e3, 'x\u0041'} || d !=[cd] nil), \#
    FUNCTION($manager, "a:b:", SELF, {a[FIRST], #in.b[i ** 2]}), SUBQUERY(e, $x, $x.f \#
    MATCHES[c] ".*") UNION modulus:by:(g, now()) MINUS CAST(h, "NSDate") / k.@count)
    """#

  @Test func `the long expression is one`() throws {
    let expression = try ValueExpression(format: Self.long)
    #expect(try ValueExpression(format: expression.description) == expression)
  }

  /// Up to seven letters, what has been written of TERNARY is a key.
  @Test(arguments: 8..<long.unicodeScalars.count)
  func `every beginning of a long expression is refused at a place in it`(length: Int) throws {
    let scalars = Self.long.unicodeScalars.prefix(length)
    let text = String(String.UnicodeScalarView(scalars))
    let error = try #require(throws: ExpressionError.self) { try ValueExpression(format: text) }
    #expect((0...length).contains(error.offset))
    #expect(error.excerpt.last == "^")
  }

  @Test(arguments: RandomSeeds.some(of: Array(0..<2000 as Range<UInt64>), every: 5))
  func `words in any order are read or refused at a place`(seed: UInt64) {
    let words = [
      "a", "b.c", "1", "-2.5", "'s'", "$v", "@count", "@sum", "(", ")", "[", "]", "{", "}", ",",
      ".", ":", "+", "-", "*", "/", "**", "==", "!=", "<", "!", "&&", "||", "AND", "OR",
      "NOT", "ANY", "NONE", "IN", "BETWEEN", "CONTAINS", "[cd]", "TRUEPREDICATE", "SELF", "nil",
      "FUNCTION(", "CAST(", "TERNARY(", "SUBQUERY(", "FETCH(", "now()", "uppercase:(", "UNION",
      "[FIRST]", "#in", "YES", "\\", "\"", "%@", "\u{0}", "🦜",
    ]
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...40, using: &generator)
    let text = (0..<count).map { _ in words.randomElement(using: &generator) ?? "" }
      .joined(separator: Bool.random(using: &generator) ? " " : "")
    do {
      let predicate = try ValuePredicate(format: text)
      #expect(try ValuePredicate(format: predicate.description) == predicate)
    } catch {
      #expect((0...text.unicodeScalars.count).contains(error.offset))
      #expect(error.text == text)
    }
  }

  @Test(
    arguments: [
      ("(", "a", ")"), ("{", "", "}"), ("NOT ", "a == 1", ""), ("!", "a == 1", ""), ("-", "a", ""),
      ("a[", "0", "]"), ("abs(", "1", ")"), ("abs:(", "1", ")"),
      ("FUNCTION(", "a", ", 's')"), ("FUNCTION(a, 's', ", "a", ")"), ("CAST(", "a", ", 'NSDate')"),
      ("TERNARY(", "a == 1", ", 1, 2) == 1"), ("SUBQUERY(a, $x, ", "a == 1", ").@count == 1"),
      ("", "a", " + 1"), ("", "a", "[0]"), ("", "a", "[0].b"), ("", "a", " UNION a"),
      ("1 ** ", "(1)", ""), ("ANY ", "a == 1", ""), ("", "a", ".@count"),
      ("FETCH(", "a", ", b, NO)"),
      ("1 + (", "1", ")"),
    ]
  )
  func `what is nested without end is refused on a small stack`(
    prefix: String,
    middle: String,
    suffix: String
  ) async throws {
    let text =
      String(repeating: prefix, count: 5000) + middle + String(repeating: suffix, count: 5000)
    let error = await onSmallStack { () -> ExpressionError? in
      do throws(ExpressionError) {
        _ = try ValuePredicate(format: text)
        return nil
      } catch { return error }
    }
    let reason = try #require(error).reason
    if prefix != "ANY " { #expect(reason == .tooDeep(limit: 100)) }
  }

  @Test func `nesting below the limit is read, described and read again on a small stack`()
    async throws
  {
    let text =
      String(repeating: "TERNARY(ANY (a) == 1, FUNCTION(", count: 49) + "a"
      + String(repeating: ", 's'), b)", count: 49)
    let isEqual = await onSmallStack { () -> Bool in
      guard let expression = try? ValueExpression(format: text) else { return false }
      return (try? ValueExpression(format: expression.description)) == expression
    }
    #expect(isEqual)
  }

  @Test(arguments: [
    ("a.", "b"), ("a == 1 AND ", "a == 1"), ("", "'\(String(repeating: "x", count: 1_000_000))'"),
  ])
  func `what is long but flat is read in time`(repeated: String, last: String) throws {
    let text =
      String(repeating: repeated, count: 50_000) + last + (repeated.contains("=") ? "" : " == 1")
    #expect(try ValuePredicate(format: text).description.utf8.count >= 50_000)
  }

  /// Runs on a thread with 512 KiB of stack, the least that a supported system gives a thread.
  private func onSmallStack<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
    #if DEBUG
    let stackSize = 4 << 20  // Frames are six times as large without optimisation.
    #else
    let stackSize = 512 << 10
    #endif
    return await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: body()) }
      thread.stackSize = stackSize
      thread.start()
    }
  }
}
