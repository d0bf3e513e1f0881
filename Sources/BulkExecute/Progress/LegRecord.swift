/// The counts of a finished leg of a route.
package struct LegRecord: Codable, Hashable, Sendable {
  /// The fates of source rows, by entity mapping or destination table.
  package var tallies: [String: RowTally]
  /// The measures of its passes, in order.
  package var passes: [PassUse]
}
