/// An order to a worker: one attempt at a store.
package struct StoreJob: Codable, Hashable, Sendable {
  /// The store.
  package var store: FleetStore
  /// The number of the wave, from 1.
  package var wave: Int
  /// The number of the attempt, from 1.
  package var attempt: Int
  /// Whether to verify the destination.
  package var verifies: Bool
}
