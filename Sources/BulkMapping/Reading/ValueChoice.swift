internal import BulkModel

/// The replacement of a property's value: another value by a table, and a value in place of nil.
///
/// It is written as an expression of `TERNARY`, which SQL can compute.
struct ValueChoice: Hashable, Sendable {
  /// A value in the table, as text, and its replacement.
  struct Entry: Hashable, Sendable {
    let old: String
    let new: AttributeValue
  }

  /// The table, without duplicates; `nil` if there is none.
  var entries: [Entry]?
  /// The replacement of a value that is not in the table; `nil` for nil.
  var otherwise: ValueExpression?
  /// The value that replaces nil.
  var initial: ValueExpression?

  /// The entries among which one is searched from the first to the last.
  private static let fewEntries = 8

  func expression(of value: ValueExpression) -> ValueExpression {
    guard let entries else { return orInitial(value) }
    let text = value.cast(to: .string)
    let known = ValueExpression.aggregate(entries.map { .constant(.string($0.old)) })
    let other = rest(of: value)
    guard !entries.isEmpty else { return other }
    return .ternary(
      .comparison(.init(text, .in, known)),
      then: Self.isShort(value)
        ? lookup(text, Self.ordered(entries)[...]) : lookup(text, known, entries),
      otherwise: other
    )
  }

  /// The replacement of a value that is not in the table.
  private func rest(of value: ValueExpression) -> ValueExpression {
    guard let otherwise else { return initial ?? .constant(.null) }
    return .ternary(
      .comparison(.init(value, .equalTo, .constant(.null))),
      then: initial ?? .constant(.null),
      otherwise: orInitial(otherwise)
    )
  }

  private func orInitial(_ value: ValueExpression) -> ValueExpression {
    initial.map { InferredValue.choice(value, or: $0) } ?? value
  }

  /// The new value of a text that is one of the entries, which are in order.
  private func lookup(_ text: ValueExpression, _ entries: ArraySlice<Entry>) -> ValueExpression {
    guard entries.count > Self.fewEntries else { return oneOf(text, entries) }
    let middle = entries.startIndex + entries.count / 2
    return .ternary(
      .comparison(.init(text, .lessThan, .constant(.string(entries[middle].old)))),
      then: lookup(text, entries[..<middle]),
      otherwise: lookup(text, entries[middle...])
    )
  }

  /// The new value of a text that is one of a few entries.
  private func oneOf(_ text: ValueExpression, _ entries: ArraySlice<Entry>) -> ValueExpression {
    var result: ValueExpression?
    for entry in entries.reversed() {
      let new = self.new(entry)
      guard let rest = result else {
        // The last one needs no comparison.
        result = new
        continue
      }
      result = .ternary(
        .comparison(.init(text, .equalTo, .constant(.string(entry.old)))),
        then: new,
        otherwise: rest
      )
    }
    return result ?? .constant(.null)
  }

  /// The same for a value whose expression is long, which then occurs once only.
  private func lookup(
    _ text: ValueExpression,
    _ known: ValueExpression,
    _ entries: [Entry]
  ) -> ValueExpression {
    .function(
      target: .aggregate(entries.map(new)),
      selector: "objectAtIndex:",
      arguments: [
        .function(target: known, selector: "indexOfObject:", arguments: [text])
      ]
    )
  }

  private func new(_ entry: Entry) -> ValueExpression {
    entry.new == .null ? initial ?? .constant(.null) : .constant(entry.new)
  }

  /// In the order of Unicode scalars, as expressions compare texts.
  private static func ordered(_ entries: [Entry]) -> [Entry] {
    entries.sorted { $0.old.utf8.lexicographicallyPrecedes($1.old.utf8) }
  }

  private static func isShort(_ value: ValueExpression) -> Bool {
    switch value {
    case .keyPath(let path, of: .variable), .keyPath(let path, of: .evaluatedObject):
      !path.contains("@")
    case .constant, .evaluatedObject, .variable: true
    case .classConstant, .keyPath, .function, .predefined, .symbol, .aggregate, .set, .subquery,
      .ternary, .fetch:
      false
    }
  }
}
