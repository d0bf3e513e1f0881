/// The contents of the page of a fleet.
package struct FleetFacts {
  /// Stores with a name in common.
  package struct Share {
    package var name: String
    package var stores: Int64
    package var note = ""

    package init(_ name: String, _ stores: Int64, note: String = "") {
      (self.name, self.stores, self.note) = (name, stores, note)
    }
  }

  /// Why stores failed.
  package struct Reason {
    package var stores: Int64
    package var code: Int64
    /// Who can do something about it.
    package var failure: String
    package var text: String
    /// The id of one of them.
    package var example: String

    package init(stores: Int64, code: Int64, failure: String, text: String, example: String) {
      (self.stores, self.code, self.failure) = (stores, code, failure)
      (self.text, self.example) = (text, example)
    }
  }

  /// A store that is worth a look.
  package struct Store {
    package var id: String
    package var outcome: String
    package var seconds: Double
    package var memoryBytes: Int64
    package var bytes: Int64
    package var attempts: Int64
    /// The page of the store, relative to this one; `nil` if it has none.
    package var page: String?

    package init(_ id: String, outcome: String) {
      (self.id, self.outcome) = (id, outcome)
      (seconds, memoryBytes, bytes, attempts) = (0, 0, 0, 0)
    }
  }

  /// What the fleet is called.
  package var name: String
  package var stores: Int64
  /// The stores by their outcomes, those without an attempt as `not begun`.
  package var outcomes: [Share] = []
  /// The stores by the time that the longest attempt took: each name is a limit.
  package var times: [Share] = []
  package var versions: [Share] = []
  package var losses: [Share] = []
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
