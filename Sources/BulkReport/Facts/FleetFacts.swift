/// The contents of the page of a fleet.
package struct FleetFacts {
  /// A group of stores and its cost.
  package struct Group: Encodable, Hashable, Sendable {
    /// The value that the stores share; empty where it is not known.
    package var name: String
    package var stores: Int64
    package var rows: Int64
    package var bytes: Int64

    package init(name: String, stores: Int64, rows: Int64 = 0, bytes: Int64 = 0) {
      (self.name, self.stores, self.rows, self.bytes) = (name, stores, rows, bytes)
    }
  }

  /// The failures for one reason, in the words of one of them.
  package struct Reason: Encodable, Hashable, Sendable {
    package var code: Int64
    /// Who can do something about it.
    package var failure: String
    package var reason: String
    package var stores: Int64
    /// The id of one of them.
    package var example: String

    package init(code: Int64, failure: String, reason: String, stores: Int64, example: String) {
      (self.code, self.failure, self.reason) = (code, failure, reason)
      (self.stores, self.example) = (stores, example)
    }
  }

  /// A store that is worth a look.
  package struct Store: Encodable, Hashable, Sendable {
    package var id: String
    package var seconds: Double
    package var memoryBytes: Int64
    package var bytes: Int64
    package var attempts: Int64
    /// The outcome of its last attempt, where it is one of those that failed.
    package var outcome: String?

    package init(id: String, seconds: Double, memoryBytes: Int64, bytes: Int64, attempts: Int64) {
      (self.id, self.seconds) = (id, seconds)
      (self.memoryBytes, self.bytes, self.attempts) = (memoryBytes, bytes, attempts)
    }
  }

  /// What the fleet is called.
  package var name: String
  package var stores: Int64
  /// The stores by their outcomes, those without an attempt as `not begun`.
  package var outcomes: [Group] = []
  /// The stores by the time that the longest attempt took: each name is a limit.
  package var times: [Group] = []
  package var versions: [Group] = []
  /// The losses by kind and place, whose rows are what is lost.
  package var losses: [Group] = []
  package var reasons: [Reason] = []
  /// Stores that failed, the first of them.
  package var failed: [Store] = []
  package var slowest: [Store] = []
  /// The rows of all stores that were made.
  package var rows: Int64 = 0
  /// The bytes of all stores that were made.
  package var bytes: Int64 = 0
  /// The processor time of all attempts, in seconds.
  package var processorSeconds = 0.0
  /// When the first attempt began and the last one ended, in seconds since 1970-01-01 00:00:00 UTC; `nil` without any.
  package var span: ClosedRange<Double>?
  package var hosts: Int64 = 0

  package init(name: String, stores: Int64) { (self.name, self.stores) = (name, stores) }

  func stores(_ outcomes: String...) -> Int64 {
    self.outcomes.filter { outcomes.contains($0.name) }.reduce(0) { $0 + $1.stores }
  }
}
