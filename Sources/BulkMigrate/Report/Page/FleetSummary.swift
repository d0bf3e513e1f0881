/// What became of the stores of a fleet: the output of `fleet report`, and the contents of its page.
package struct FleetSummary: Encodable {
  /// The values below which shares of the stores lie.
  package struct Percentiles: Encodable, Hashable, Sendable {
    package var p50: Double
    package var p90: Double
    package var p99: Double
    package var most: Double
    package var sum: Double

    package init(p50: Double, p90: Double, p99: Double, most: Double, sum: Double) {
      (self.p50, self.p90, self.p99) = (p50, p90, p99)
      (self.most, self.sum) = (most, sum)
    }
  }

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

  package var name: String
  package var stores: Int64
  /// The stores by the outcome of their last attempt.
  package var outcomes: [Group] = []
  /// The stores that were migrated, by the time of their longest attempt: each name is a limit.
  package var times: [Group] = []
  package var versions: [Group] = []
  package var classes: [Group] = []
  package var wallSeconds: Percentiles?
  package var processorSeconds: Percentiles?
  package var peakMemoryBytes: Percentiles?
  package var failures: [Reason] = []
  /// The losses by kind and owner, whose rows are what is lost.
  package var losses: [Group] = []
  package var failed: [Store] = []
  package var slowest: [Store] = []
  /// The rows and bytes of all stores that were made.
  package var rows: Int64 = 0
  package var bytes: Int64 = 0
  package var hosts: Int64 = 0
  /// When the first attempt began and the last one ended, in seconds since 1970-01-01 00:00:00 UTC; `nil` without any.
  package var began: Double?
  package var ended: Double?

  package init(name: String, stores: Int64) { (self.name, self.stores) = (name, stores) }
}
