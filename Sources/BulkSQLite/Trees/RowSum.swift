/// The number of some rows and a sum over them that does not depend on their order.
///
/// Two lists with one sum hold the same rows, unless by a chance of one in 2^64 or by somebody's
/// design.
package struct RowSum: Hashable, Sendable {
  /// The number of rows.
  package private(set) var count: Int64 = 0
  private var sum: UInt64 = 0

  /// Takes a row by the digest of its values.
  mutating func add(_ digest: UInt64) {
    count += 1
    sum &+= digest
  }
}
