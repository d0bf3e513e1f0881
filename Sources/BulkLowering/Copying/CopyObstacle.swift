/// Why a store cannot be copied and changed, but must be made anew.
package struct CopyObstacle: Error, Hashable, Sendable {
  /// What is in the way, with the entity or table.
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}
