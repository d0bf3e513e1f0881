/// Members of an ordered relationship that have no position yet.
///
/// The members of each owner get positions in ascending order of their keys, after those that have one: 2048,
/// 3072, 4096 …, as in Core Data. Symmetric pairs are numbered through the whole table, in an order that
/// ascends for each of their objects.
package struct MemberOrdering: Hashable, Sendable {
  /// Of the destination.
  package let table: String
  package let ownerColumn: String
  package let memberColumn: String
  package let orderColumn: String
  /// Whether a link counts in both directions, so that one position serves the collections of both objects.
  package let isSymmetric: Bool
  /// Whether members that have a position are renumbered too, in their order.
  package var renumbers = false

  package init(
    table: String,
    ownerColumn: String,
    memberColumn: String,
    orderColumn: String,
    isSymmetric: Bool = false
  ) {
    self.table = table
    self.ownerColumn = ownerColumn
    self.memberColumn = memberColumn
    self.orderColumn = orderColumn
    self.isSymmetric = isSymmetric
  }

  package static let first: Int64 = 2048
  package static let step: Int64 = 1024

  /// The position that follows another; at the end of the range several members share the greatest number.
  package static func position(after last: Int64) -> Int64 {
    let (position, overflow) = last.addingReportingOverflow(step)
    return overflow ? .max : position
  }

  /// The same in SQL, where a sum beyond 64 bits would be a fraction; the first position where the last one is NULL.
  static func nextSQL(after last: String) -> String {
    "ifnull(min(\(last), \(Int64.max - step)) + \(step), \(first))"
  }
}
