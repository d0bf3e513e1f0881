public import BulkCoding
public import BulkExecute
public import BulkPlan
public import BulkPlatform
public import BulkVersions
internal import Synchronization

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
  /// The store to read.
  public var source: URL
  /// The store to make; an existing file is never overwritten.
  public var destination: URL
  /// The mapping: a mapping file, an `.xcmappingmodel` or a `.cdm`.
  public var mapping: URL?
  /// Further mapping files that together with ``mapping`` are one mapping of one pair of versions, in order.
  public var furtherMappings: [URL] = []
  /// The model that wrote the source; found by the store's version hashes where it is not named.
  public var sourceModel: URL?
  /// The model of the destination: a model, the current version of a version package, or the model that a
  /// store keeps.
  public var destinationModel: URL?
  /// Files and folders with the versions of the model, in which the source's version and the route from there
  /// are found.
  public var models: [URL] = []
  /// Files and folders with the mappings from version to version.
  public var mappings: [URL] = []
  /// Mappings to ignore among those found there.
  public var ignoredMappings: [URL] = []
  /// The name of the destination's version among ``models``; the current one without it.
  public var version: String?
  /// Whether steps without a mapping, and what mappings do not mention, are inferred.
  public var infers = true
  /// Whether to-one relationships of mappings take the first of several objects, which are an error otherwise.
  public var takesFirst = false
  /// The refusals that are overridden.
  public var allowed: Set<PlanAllowance> = []
  /// How the destination is made; the cheaper strategy without it.
  public var strategy: StoreStrategy.Kind?
  /// The policies that mappings use, by the names of their classes, with or without a module.
  public var policies: [String: any EntityMigrationPolicy] = [:]
  /// The transformers of transformable attributes, by the names that the models have, with or without a module.
  ///
  /// A plan names those that it uses, and only a program that has them can run it.
  public var transformers: [String: any AttributeTransformer] = [:]

  /// The memory limit of the whole process; without it, 256 MiB more than at the beginning.
  public var memoryLimit: ByteCount?
  /// The number of objects, values and links that may be lost; none by default.
  public var lossLimit = LossLimit.usual
  /// The treatment of objects that violate rules of the destination's model, or for which an
  /// expression fails.
  public var rejects = RejectPolicy()
  /// The state directory, which survives an interruption; beside the destination without one.
  public var stateDirectory: URL?
  /// The time to wait for another process that works on the same destination.
  public var lockWait = Duration.zero
  /// The action when the disk is full.
  public var onDiskFull = DiskFullAction.stop

  /// The listeners of the progress; copies of the migration share them.
  package let listeners = ProgressListeners()

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
    self.source = source
    self.destination = destination
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
    self.source = source
    self.destination = destination
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
    self.source = source
    self.destination = destination
    self.models = models
    self.mappings = mappings
    self.version = version
  }
}

/// The listeners of a migration's progress.
package final class ProgressListeners: Sendable {
  private struct Listener {
    let report: @Sendable (MigrationProgress) -> Void
    let finish: @Sendable () -> Void
  }

  private let listeners = Mutex<[Listener]>([])

  /// Adds a listener until the run ends; it is called on the thread of the run, which waits for it.
  ///
  /// - Parameters:
  ///   - report: Called after every batch.
  ///   - finish: Called when the run ends.
  package func add(
    _ report: @escaping @Sendable (MigrationProgress) -> Void,
    finish: @escaping @Sendable () -> Void = {}
  ) {
    listeners.withLock { $0.append(Listener(report: report, finish: finish)) }
  }

  /// A stream of the newest values until the run ends.
  func stream() -> AsyncStream<MigrationProgress> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: MigrationProgress.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    add({ continuation.yield($0) }, finish: { continuation.finish() })
    return stream
  }

  func report(_ progress: MigrationProgress) {
    for listener in listeners.withLock(\.self) { listener.report(progress) }
  }

  func finish() {
    let ended = listeners.withLock { listeners in
      defer { listeners = [] }
      return listeners
    }
    for listener in ended { listener.finish() }
  }
}

extension MigrationPlan {
  /// Reads a plan that ``StoreMigration/plan()`` or the command line made.
  ///
  /// - Throws: ``StoreMigrationError`` if it is not a plan, has another format, or was edited.
  public init(contentsOf url: URL) throws {
    do {
      try self.init(contentsOf: url.path)
    } catch {
      throw StoreMigrationError.translated(error)
    }
  }
}
