public import BulkSupport
public import BulkExecute
package import BulkPlan

/// The migration of one Core Data store to another version of its model, into a new file.
///
/// ```swift
/// let migration = StoreMigration(source: store, destination: newStore, models: [models])
/// let plan = try await migration.plan()
/// print(plan.losses)
/// let outcome = try await migration.run(plan)
/// ```
///
/// The source is only read. The destination appears under its name when it is complete, or not at all. A
/// cancelled task stops at the next checkpoint and throws `CancellationError`; the completed work is kept
/// beside the destination, and ``resume()`` continues it to the same bytes. All other errors are
/// ``StoreMigrationError``.
///
/// All URLs name files.
public struct StoreMigration: Sendable {
  package var request = PlanRequest()
  /// The memory limit is ``memoryLimit``.
  package var settings = MigrationSettings()
  /// The memory limit of the whole process; without it, 256 MiB more than at the beginning.
  public var memoryLimit: ByteCount?

  /// Called with the progress after every batch and when a run ends, on the thread of the run, which waits for it; rows
  /// never decrease.
  ///
  /// ```swift
  /// migration.progressHandler = { step in print(step.rowsDone, "of", step.rowsTotal) }
  /// ```
  public var progressHandler: (@Sendable (MigrationProgress) -> Void)?

  /// A migration by a mapping that names its models.
  ///
  /// - Parameters:
  ///   - source: The store to read.
  ///   - destination: The store to make.
  ///   - mapping: A mapping file, an `.xcmappingmodel` or a `.cdm`.
  ///   - policies: The policies that it uses, by the names of their classes.
  public init(
    source: URL,
    destination: URL,
    mapping: URL,
    policies: [String: any EntityMigrationPolicy] = [:]
  ) {
    self.init(source, destination)
    self.mapping = mapping
    self.policies = policies
  }

  /// A migration to a model, by an inferred mapping unless ``mapping`` is set.
  ///
  /// - Parameters:
  ///   - source: The store to read.
  ///   - destination: The store to make.
  ///   - model: The model of the destination, or a package of versions, which means its current one.
  public init(source: URL, destination: URL, model: URL) {
    self.init(source, destination)
    destinationModel = model
  }

  /// A migration from the source's version, over as many versions as necessary.
  ///
  /// - Parameters:
  ///   - source: The store to read.
  ///   - destination: The store to make.
  ///   - models: Files and folders with the versions of the model.
  ///   - mappings: Files and folders with mappings from version to version; the rest is inferred.
  ///   - version: The name of the version to end with; the current one without it.
  public init(
    source: URL,
    destination: URL,
    models: [URL],
    mappings: [URL] = [],
    version: String? = nil
  ) {
    self.init(source, destination)
    self.models = models
    self.mappings = mappings
    self.version = version
  }

  /// A migration in place, by ``migrate()``, over as many versions as necessary.
  ///
  /// - Parameters:
  ///   - store: The store to migrate.
  ///   - models: Files and folders with the versions of the model.
  ///   - mappings: Files and folders with mappings from version to version; the rest is inferred.
  ///   - version: The name of the version to end with; the current one without it.
  public init(inPlace store: URL, models: [URL], mappings: [URL] = [], version: String? = nil) {
    self.init(
      source: store,
      destination: store,
      models: models,
      mappings: mappings,
      version: version
    )
  }

  private init(_ source: URL, _ destination: URL) {
    request.argumentNames = .properties
    self.source = source
    self.destination = destination
  }

  package init(of plan: MigrationPlan, _ settings: MigrationSettings) {
    request.source = plan.source.store
    request.destination = plan.destination.store
    self.settings = settings
    memoryLimit = settings.memoryLimit
  }

  package init(inPlace store: String, _ request: PlanRequest, _ settings: MigrationSettings) {
    (self.request, self.settings) = (request, settings)
    (self.request.source, self.request.destination) = (store, store)
    memoryLimit = settings.memoryLimit
  }
}
