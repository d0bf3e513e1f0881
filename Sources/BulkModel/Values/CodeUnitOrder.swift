/// The order in which Core Data sorts names: by UTF-16 code unit, regardless of locale.
package enum CodeUnitOrder {
  /// Whether one name precedes another.
  package static func precedes(_ first: String, _ second: String) -> Bool {
    first.utf16.lexicographicallyPrecedes(second.utf16)
  }
}

extension Sequence<String> {
  /// The names in code-unit order.
  package func sortedByCodeUnit() -> [String] { sorted(by: CodeUnitOrder.precedes) }
}
