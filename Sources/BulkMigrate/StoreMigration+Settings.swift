public import BulkExecute
public import BulkMapping
public import BulkPlan
public import BulkSupport

extension StoreMigration {
  /// The store to read.
  public var source: URL {
    get { URL(naming: request.source ?? "") }
    set { request.source = newValue.name }
  }

  /// The store to make; an existing file is never overwritten.
  public var destination: URL {
    get { URL(naming: request.destination ?? "") }
    set { request.destination = newValue.name }
  }

  /// The mapping: a mapping file, an `.xcmappingmodel` or a `.cdm`.
  public var mapping: URL? {
    get { request.mapping.map(URL.init(naming:)) }
    set {
      request.mappingFiles =
        [newValue?.name].compactMap(\.self) + request.mappingFiles.dropFirst()
    }
  }

  /// Further mapping files that together with ``mapping`` are one mapping of one pair of versions, in order.
  public var furtherMappings: [URL] {
    get { request.mappingFiles.dropFirst().map(URL.init(naming:)) }
    set { request.mappingFiles = request.mappingFiles.prefix(1) + newValue.map(\.name) }
  }

  /// The model that wrote the source; found by the store's version hashes where it is not named.
  public var sourceModel: URL? {
    get { request.sourceModel.map(URL.init(naming:)) }
    set { request.sourceModel = newValue?.name }
  }

  /// The model of the destination: a model, the current version of a version package, or the model that a
  /// store keeps.
  public var destinationModel: URL? {
    get { request.destinationModel.map(URL.init(naming:)) }
    set { request.destinationModel = newValue?.name }
  }

  /// Files and folders with the versions of the model, in which the source's version and the route from there
  /// are found.
  public var models: [URL] {
    get { request.models.map(URL.init(naming:)) }
    set { request.models = newValue.map(\.name) }
  }

  /// Files and folders with the mappings from version to version.
  public var mappings: [URL] {
    get { request.mappings.map(URL.init(naming:)) }
    set { request.mappings = newValue.map(\.name) }
  }

  /// Mappings to ignore among those found there.
  public var ignoredMappings: [URL] {
    get { request.ignoredMappings.map(URL.init(naming:)) }
    set { request.ignoredMappings = newValue.map(\.name) }
  }

  /// The name of the destination's version among ``models``; the current one without it.
  public var version: String? {
    get { request.version }
    set { request.version = newValue }
  }

  /// The configuration of the models whose entities the store has; all entities without one.
  public var configuration: String? {
    get { request.configuration }
    set { request.configuration = newValue }
  }

  /// Whether steps without a mapping, and what mappings do not mention, are inferred; `true` by default.
  public var infers: Bool {
    get { request.infers }
    set { request.infers = newValue }
  }

  /// Whether steps of a route are done as one where the outcome is the same; `true` by default.
  public var fuses: Bool {
    get { request.fuses }
    set { request.fuses = newValue }
  }

  /// Whether changes are refused that Core Data refuses to infer, though they can be carried out.
  public var isLikeCoreData: Bool {
    get { request.isLikeCoreData }
    set { request.isLikeCoreData = newValue }
  }

  /// The refusals that are overridden.
  public var allowed: Set<PlanAllowance> {
    get { request.allowed }
    set { request.allowed = newValue }
  }

  /// How the destination is made; the cheaper strategy without it.
  public var strategy: StoreStrategy.Kind? {
    get { request.strategy }
    set { request.strategy = newValue }
  }
}

extension StoreMigration {
  /// The policies that mappings use, by the names of their classes, with or without a module.
  public var policies: [String: any EntityMigrationPolicy] {
    get { settings.policies.byName }
    set { settings.policies = PolicyRegistry(newValue, transformers: transformers) }
  }

  /// The transformers of transformable attributes, by the names that the models have, with or without a module.
  ///
  /// A plan names those that it uses, and only a program that has them can run it.
  public var transformers: [String: any AttributeTransformer] {
    get { settings.policies.transformers.byName }
    set { settings.policies = PolicyRegistry(policies, transformers: newValue) }
  }

  /// The threads that work at the same time, at least 1, on which the outcome does not depend; 2 by default, or
  /// 1 where there is one processor.
  public var threads: Int {
    get { settings.threads }
    set { settings.threads = newValue }
  }

  /// The time after which a run, a replay or a migration in place stops with the code `unfinished`, in a state from which
  /// it is continued; unlimited without one.
  ///
  /// Less than the longest indivisible part needs is refused before anything is made.
  public var timeLimit: Duration? {
    get { settings.timeLimit }
    set { settings.timeLimit = newValue }
  }

  /// The number of objects, values and links that may be lost; none by default.
  public var lossLimit: LossLimit {
    get { settings.lossLimit }
    set { settings.lossLimit = newValue }
  }

  /// The treatment of objects that violate rules of the destination's model, or for which an
  /// expression fails.
  public var rejects: RejectPolicy {
    get { settings.rejects }
    set { settings.rejects = newValue }
  }

  /// The state directory, which survives an interruption; beside the destination without one.
  public var stateDirectory: URL? {
    get { settings.stateDirectory.map(URL.init(naming:)) }
    set { settings.stateDirectory = newValue?.path }
  }

  /// The time to wait for another process that works on the same destination; none by default.
  public var lockWait: Duration {
    get { settings.lockWait }
    set { settings.lockWait = newValue }
  }
}

extension URL {
  /// The file of a name that ``name`` gave.
  fileprivate init(naming name: String) { self.init(fileURLWithPath: name) }

  /// The path of a file; the whole of another URL, which names no file.
  fileprivate var name: String { isFileURL ? path : absoluteString }
}
