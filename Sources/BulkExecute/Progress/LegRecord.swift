/// The counts of a finished leg of a route.
package struct LegRecord: Codable, Hashable, Sendable {
  package var tallies: [String: RowTally]
  package var passes: [PassUse]
}
