internal import BulkMapping
internal import BulkModel
package import BulkStore

/// The steps that all stores of a version share on the way to another one, each read, checked and
/// inferred once, and the work that follows from them and from the tables of a store.
///
/// A plan of a single store uses it as well: legs, plan and work use the same steps.
package final class SharedSteps {
  /// The steps in order, at least one.
  let files: [StepFiles]
  private var readInputs: [StepInput]
  private var readSteps: [MigrationStep] = []
  private var parts: [Range<Int>: SharedSteps] = [:]
  private var traces: [Int: LossTrace] = [:]
  /// The refusals that are overridden; `nil` where a plan exists, which was checked already.
  private var allowed: Set<PlanAllowance>?
  /// The version hashes of the models: of the first step's source, and of each step's destination.
  private lazy var hashes = (files.prefix(1).map(\.source) + files.map(\.destination)).map {
    $0.model.entityVersionHashesByName
  }
  /// The store that was planned last, until it is taken or discarded.
  private var planned: PersistentStore?
  private var prepared: [StoreShape: Prepared] = [:]

  /// Stores of a version have few shapes; more than these are not kept.
  private static let shapeLimit = 8

  /// What stores with the same tables share.
  private struct Prepared {
    /// The work of some first steps that are done as one, by their number.
    var works: [Int: StepWork] = [:]
    /// The legs of the whole route.
    var legs: [MigrationPlan.Leg]?
  }

  package convenience init(_ files: [StepFiles]) { self.init(files, read: []) }

  init(_ files: [StepFiles], read inputs: [StepInput]) {
    (self.files, readInputs) = (files, inputs)
  }

  /// Whether a plan leads by these steps: from and to the same models, by the same mappings,
  /// regardless of their paths.
  package func describe(_ plan: MigrationPlan) throws(PlanError) -> Bool {
    guard plan.steps.count == files.count,
      plan.source.model.digest == files.first?.source.input.digest,
      files.allSatisfy({ $0.keepsPartialHistory == (plan.keepsPartialHistory ?? false) }),
      files.last?.takesNewIdentifier == (plan.takesNewIdentifier ?? false)
    else { return false }
    let inputs = try inputs(files.count).map { $0.input(now: 0) }
    return zip(files, plan.steps).allSatisfy {
      $0.destination.input.digest == $1.destination.digest
    }
      && zip(inputs, plan.mappings).allSatisfy { $0.digest == $1.digest && $0.infer == $1.infer }
  }

  /// The work that a plan of a single leg by these steps describes, on its source.
  package func work(
    of plan: MigrationPlan,
    on store: PersistentStore
  ) throws(PlanError) -> MigrationWork {
    guard begins(with: store) else {
      throw .stale(["the source store \(store.path) is of another version now"])
    }
    return try work(files.count, on: store, evaluates: plan.evaluates ?? false)
  }

  /// Leaves a store that is planned to whoever carries the plan out.
  func leave(_ store: PersistentStore) { planned = store }

  /// Hands over the store that was planned last, if it has a path, and holds none from then on.
  package func takeStore(at path: String) -> PersistentStore? {
    defer { planned = nil }
    return planned.flatMap { $0.path == path ? $0 : nil }
  }

  /// Closes a store that nobody has taken: its plan was not carried out.
  package func discardStore() { planned = nil }

  package func part(_ range: Range<Int>) -> SharedSteps {
    if let known = parts[range] { return known }
    let part = SharedSteps(Array(files[range]))
    parts[range] = part
    return part
  }

  func inputs(_ count: Int) throws(PlanError) -> [StepInput] {
    for file in files.prefix(count).dropFirst(readInputs.count) {
      readInputs.append(try StepInput(file))
    }
    return Array(readInputs.prefix(count))
  }

  func refuseMissingPolicies(_ isKnown: ((String) -> Bool)?) throws(PlanError) {
    let inputs = try inputs(files.count)
    guard let isKnown else { return }
    for input in inputs { try input.refuseMissingPolicies(isKnown, ofRoute: inputs.count > 1) }
  }

  /// Refuses inferred steps by which no entity continues, unless that is allowed, and keeps the
  /// allowances.
  func refuseReplacement(unless allowed: Set<PlanAllowance>) throws(PlanError) {
    self.allowed = allowed
    guard !allowed.contains(.replacement) else { return }
    for (step, file) in zip(try all(), files) where step.replacesAll {
      throw .notAllowed(
        .replacement,
        "\(file.source.versionName) and \(step.name) have no entity in common, so all objects would be removed; "
          + "add renaming identifiers or a mapping"
      )
    }
  }

  /// Refuses renames in a store that is mirrored with CloudKit, as Core Data does (formats/migration.md 6.1).
  private func refuseMirroredRenames(_ store: StoreOutline) throws(PlanError) {
    guard let allowed, !allowed.contains(.mirroredRenames),
      MirroringTables.areAmong(store.schema.tables)
    else { return }
    let renames = try all().flatMap(\.mirroredRenames)
    guard let first = renames.first else { return }
    let others = renames.count == 1 ? "" : ", and \(renames.count - 1) more"
    throw .notAllowed(
      .mirroredRenames,
      "\(store.path) is mirrored with CloudKit, whose records keep their names: \(first)\(others) would be renamed; "
        + "Core Data refuses this with error 134110"
    )
  }

  /// Refuses inferred steps that Core Data refuses.
  func refuseDifferences() throws(PlanError) {
    for step in try all() {
      if let error = InferenceError(step.differences) { throw .notInferable(error) }
    }
  }

  package func all() throws(PlanError) -> [MigrationStep] { try steps(files.count) }

  /// The first steps, as they are executed; a failure if one has no mapping and none can be inferred.
  func steps(_ count: Int) throws(PlanError) -> [MigrationStep] {
    for input in try inputs(count).dropFirst(readSteps.count) { readSteps.append(try input.step()) }
    return Array(readSteps.prefix(count))
  }

  func begins(with store: PersistentStore) -> Bool { hashes.first == store.metadata.versionHashes }

  /// Refuses a store that is not of the version with which the steps begin.
  func refuseOther(_ store: PersistentStore) throws(PlanError) {
    guard !begins(with: store) else { return }
    throw .modelDoesNotFit(
      store: store.path,
      model: files[0].source.input.path,
      differences: ModelLocator.differences(store, files[0].source.model)
    )
  }

  /// Whether a store has the versions that all steps lead to.
  func haveOnly(_ store: PersistentStore) -> Bool {
    hashes.dropFirst().allSatisfy { $0 == store.metadata.versionHashes }
  }

  /// The losses of a plan's work: those of all steps, if the plan leads by these.
  package func losses(of plan: MigrationPlan, in work: MigrationWork) -> LossTrace {
    guard (try? describe(plan)) == true, let known = try? losses(files.count) else {
      return LossTrace(of: work)
    }
    return known
  }

  func losses(_ count: Int) throws(PlanError) -> LossTrace {
    if let known = traces[count] { return known }
    let trace = LossTrace(try steps(count))
    traces[count] = trace
    return trace
  }

  func work(
    _ count: Int,
    on store: PersistentStore,
    evaluates: Bool = false
  ) throws(PlanError) -> MigrationWork {
    let outline = try PlanError.reading(store.path, try store.outline())
    try refuseMirroredRenames(outline)
    let shape = StoreShape(outline)
    if let work = prepared[shape]?.works[count] {
      return try MigrationWork(store, work, evaluates: evaluates)
    }
    let work = try StepWork(try steps(count), of: outline)
    keep(shape) { $0.works[count] = work }
    return try MigrationWork(store, work, evaluates: evaluates)
  }

  private func keep(_ shape: StoreShape, _ change: (inout Prepared) -> Void) {
    if prepared[shape] == nil, prepared.count >= Self.shapeLimit { prepared = [:] }
    change(&prepared[shape, default: Prepared()])
  }

  /// The legs of the whole route, which are found once for stores of a shape.
  func legs(
    of store: PersistentStore,
    _ find: ([MigrationStep]) throws(PlanError) -> [MigrationPlan.Leg]
  ) throws(PlanError) -> [MigrationPlan.Leg] {
    let shape = StoreShape(try PlanError.reading(store.path, try store.outline()))
    if let known = prepared[shape]?.legs { return known }
    let legs = try find(try all())
    keep(shape) { $0.legs = legs }
    return legs
  }
}
