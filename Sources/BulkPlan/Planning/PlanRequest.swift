/// What a user asks to have planned.
///
/// Paths are absolute or relative to the current folder.
public struct PlanRequest: Hashable, Sendable {
  /// The store to read.
  public var source: String?
  /// The store to make.
  public var destination: String?
  /// The model that wrote the source; found by the store's version hashes where it is not named.
  public var sourceModel: String?
  /// The model of the destination: a model, a version package or a store.
  public var destinationModel: String?
  /// The mapping file.
  public var mapping: String?

  /// A request that names nothing yet.
  public init() {}
}
