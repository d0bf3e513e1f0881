/// What a user asks to have planned.
///
/// Paths are absolute or relative to the current folder.
public struct PlanRequest: Sendable {
  /// The store to read.
  public var source: String?
  /// The store to make.
  public var destination: String?
  /// The model that wrote the source; found by the store's version hashes where it is not named.
  public var sourceModel: String?
  /// The model of the destination: a model, a version package or a store.
  public var destinationModel: String?
  /// The models on the way to that of the destination, in their order; the steps between them are done
  /// as one.
  public var through: [String] = []
  /// The mapping files of the steps over ``through``, in their order; `nil` and what is missing at the
  /// end are inferred.
  public var mappingsOnTheWay: [String?] = []
  /// The mapping file.
  public var mapping: String?

  /// Files and folders with the versions of the model, among which the store's is found.
  public var models: [String] = []
  /// Files and folders with mappings, of which those are used that lead from the store's version on.
  public var mappings: [String] = []
  /// Mappings that are found there and left out.
  public var ignoredMappings: [String] = []
  /// The name of the version that the store shall be; the current one where it is not named.
  public var version: String?

  /// Whether a way of several steps is refused, as Core Data knows none.
  public var isExact = false

  /// Whether the way is looked for that leads over several versions.
  package var asksForRoute: Bool { !models.isEmpty || !mappings.isEmpty || version != nil }

  /// Whether steps are done as one where the outcome is the same.
  public var fuses = true

  /// Whether the store is written anew even if it fits the destination's model already; without a
  /// destination model it is written anew for the model that it has.
  public var rebuilds = false

  /// What `now()` gives, in seconds since 2001-01-01 00:00:00 UTC; the moment without it.
  public var now: Double?

  /// Whether there is a policy of a class name; `nil` where policies are looked for at the run only.
  public var knowsPolicy: (@Sendable (String) -> Bool)?

  /// How errors call what the request can name.
  public var argumentNames = ArgumentNames.options

  /// A request that names nothing yet.
  public init() {}
}
