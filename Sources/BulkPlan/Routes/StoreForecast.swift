/// What the migration of one store of many would be.
public struct StoreForecast: Codable, Hashable, Sendable {
  /// One step of the way.
  public struct Step: Codable, Hashable, Sendable {
    /// The file of the version that the step begins with.
    public var source: String
    /// The file of the version that it leads to.
    public var destination: String
    /// The mapping file; absent where everything is inferred.
    public var mapping: String?
  }

  /// What all steps cost.
  struct Cost {
    var rows: Int64 = 0
    var bytes: Int64 = 0
    var seconds = 0.0
  }

  /// The store, as it was named.
  public var store: String
  /// Its version; absent where it is not known.
  public var version: String?
  /// The version that it shall be; absent where that is not known.
  public var destinationVersion: String?
  /// The steps of the way; none where the store is there already, or where there is no way.
  public var steps: [Step] = []
  /// The rows to write, all steps together; about right where there are several.
  public var rows: Int64?
  /// The bytes to write, all steps together, estimated.
  public var estimatedBytes: Int64?
  /// The time of all steps, in seconds, estimated.
  public var estimatedSeconds: Double?
  /// What is in the way; absent where there is a way.
  public var fault: String?

  init(_ store: String) { self.store = store }
}
