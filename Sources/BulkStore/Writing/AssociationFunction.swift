/// The SQL function with which statements ask association tables.
///
/// It takes the number of a table and a source key, and gives the destination key or NULL.
package enum AssociationFunction {
  /// The function's name.
  package static let name = "bulk_associated"
}
