/// A forecast of the migration of one store of many.
public struct StoreForecast: Codable, Hashable, Sendable {
  /// One step of the route.
  public struct Step: Codable, Hashable, Sendable {
    /// The file of the version before the step.
    public var source: String
    /// The file of the version after the step.
    public var destination: String
    /// The mapping file; absent where everything is inferred.
    public var mapping: String?
  }

  /// The cost of all steps.
  struct Cost {
    var rows: Int64 = 0
    var bytes: Int64 = 0
    var seconds = 0.0
  }

  /// The path of the store, as it was given.
  public var store: String
  /// Its version; absent if unknown.
  public var version: String?
  /// The requested version; absent if unknown.
  public var destinationVersion: String?
  /// The steps of the route; none if the store has the requested version already, or if there is no route.
  public var steps: [Step] = []
  /// The rows to write in all steps; approximate for several.
  public var rows: Int64?
  /// The estimated bytes to write in all steps.
  public var estimatedBytes: Int64?
  /// The estimated time of all steps, in seconds.
  public var estimatedSeconds: Double?
  /// The obstacle; absent if there is a route.
  public var fault: String?

  init(_ store: String) { self.store = store }
}
