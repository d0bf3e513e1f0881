package import BulkStore

/// A request for a plan.
///
/// Paths are absolute or relative to the current folder.
package struct PlanRequest: Sendable {
  package var source: String?
  /// The copy that is read in place of the source, if there is one.
  package var sourceCopy: SourceCopy?
  package var destination: String?
  /// The model that wrote the source; found by the store's version hashes where it is not named.
  package var sourceModel: String?
  /// The model of the destination: a model, a version package or a store.
  package var destinationModel: String?
  /// The mapping files, in order; several together are one mapping of one pair of versions.
  package var mappingFiles: [String] = []
  /// The first mapping file; setting it names that one alone.
  package var mapping: String? {
    get { mappingFiles.first }
    set { mappingFiles = newValue.map { [$0] } ?? [] }
  }

  /// Files and folders with the versions of the model, among which the store's is found.
  package var models: [String] = []
  /// Files and folders with mappings; those on the route from the store's version are used.
  package var mappings: [String] = []
  package var ignoredMappings: [String] = []
  /// The name of the destination's version; the current one where it is not named.
  package var version: String?
  /// The configuration of the models whose entities the store has; all entities without one.
  package var configuration: String?
  /// Whether the destination gets an identifier of its own.
  package var takesNewIdentifier = false
  /// Whether a step without a mapping, and what a mapping does not mention, is inferred.
  package var infers = true
  package var allowed: Set<PlanAllowance> = []
  /// Whether inferred changes are refused that Core Data refuses, though they can be carried out.
  package var isLikeCoreData = false
  var requestsRoute: Bool { !models.isEmpty || !mappings.isEmpty || version != nil }
  /// Whether steps are done as one leg where the outcome is the same.
  package var fuses = true
  /// Whether to rewrite the store even if it fits the destination's model already; without a destination
  /// model it is rewritten for the model that it has.
  package var rebuilds = false
  /// The strategy; the plan chooses it by the cost if absent.
  package var strategy: StoreStrategy.Kind?
  /// Whether the source itself is changed; then no row is read where only its schema grows.
  package var altersSource = false
  /// Whether values and filters of mapping models are evaluated even where SQL has the same meaning, as
  /// verification requires.
  package var evaluates = false
  /// The value of `now()`, in seconds since 2001-01-01 00:00:00 UTC; the time of planning without it.
  package var now: Double?
  /// Whether a policy with a class name exists; `nil` to check policies only when the plan runs.
  package var knowsPolicy: (@Sendable (String) -> Bool)?
  /// Whether a transformer with a name exists; `nil` to check transformers only when the plan runs, and to copy
  /// the bytes of one transformer to an attribute of another.
  package var knowsTransformer: (@Sendable (String) -> Bool)?
  package var report: @Sendable (PlanningProgress) -> Void = { _ in }
  package var argumentNames = ArgumentNames.options

  package init() {}
}

/// How a destination is made.
public struct StoreStrategy: Codable, Hashable, Sendable {
  /// The kinds of strategies; both give the same content.
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    /// All rows are written into a new file.
    case rebuild
    /// The file is copied, and changed in the copy.
    case copy
  }

  /// The kind of the strategy.
  public var kind: Kind
  /// The reason for the choice, in words.
  public var reason: String
  /// Whether the source was checked when it was planned.
  ///
  /// Then nothing prevents a copy of it from being changed; absent otherwise.
  public var isChecked: Bool?

  package init(_ kind: Kind, because reason: String, isChecked: Bool = false) {
    self.kind = kind
    self.reason = reason
    self.isChecked = isChecked ? true : nil
  }
}

package struct PlanningProgress: Hashable, Sendable {
  package enum Stage: String, Hashable, Sendable, CaseIterable {
    /// The source is read for its identity.
    case reading
    case pages
    case counting
    case losses
    /// Pages are searched for large values.
    case values
  }

  package var stage: Stage
  /// The bytes of the source that are read, while it is read.
  package var bytesDone: Int64 = 0
  /// The bytes to read; 0 where that is not known.
  package var bytesTotal: Int64 = 0

  package init(_ stage: Stage) { self.stage = stage }
}
