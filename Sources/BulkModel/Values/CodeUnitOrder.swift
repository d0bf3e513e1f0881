/// The order in which Core Data sorts names: by UTF-16 code unit, without regard to language.
package enum CodeUnitOrder {
  /// Whether one name stands before another.
  package static func precedes(_ first: String, _ second: String) -> Bool {
    first.utf16.lexicographicallyPrecedes(second.utf16)
  }
}

extension Sequence<String> {
  /// The names by code unit.
  package func sortedByCodeUnit() -> [String] { sorted(by: CodeUnitOrder.precedes) }
}
