public import BulkModel
internal import BulkSQLite
internal import BulkStore
internal import BulkSupport

/// Makes synthetic stores of a model: valid ones, or deliberately invalid ones.
///
/// Equal requests give equal bytes. Memory use does not grow with the store.
public struct Fixture {
  private let model: ManagedObjectModel
  private let request: FixtureRequest
  private let schema: StoreSchema
  private let plan: KeyPlan
  /// Called after every batch with the number of rows written.
  public var report: (Int64) -> Void = { _ in }
  /// Asked often whether to stop; then writing fails, and nothing is left behind.
  public var isStopped: () -> Bool = { false }

  /// The version of Core Data whose conventions the store follows.
  ///
  /// Core Data repairs nothing in a store of this version (formats/migration.md 10), so everything that it takes for
  /// granted is written: triggers of derived attributes, which it makes up to 1212 only, R-trees, digest and checksum of
  /// the model, and the model itself.
  private static let frameworkVersion: Int64 = 1345
  private static let batchRows: Int64 = 4096

  /// A fixture of a model.
  ///
  /// - Throws: ``FixtureError`` if the request names something that the model does not have.
  public init(_ model: ManagedObjectModel, _ request: FixtureRequest) throws(FixtureError) {
    try request.check(against: model)
    self.model = model
    self.request = request
    schema = StoreSchema(model)
    plan = KeyPlan(schema, rows: request.rows)
  }

  /// Writes the store.
  ///
  /// It appears under its name when it is complete.
  ///
  /// - Returns: The number of rows, including those of join tables.
  /// - Throws: ``FixtureError``.
  public func write(to path: String) throws(FixtureError) -> Int64 {
    let manager = FileManager.default
    let support = ExternalBinaryData.supportFolder(of: path)
    for name in [path, support] where manager.fileExists(atPath: name) { throw .exists(name) }
    let suffix = ".unfinished-\(SystemHost.current.identifier())"
    let (scratch, files) = (path + suffix, support + suffix)
    defer { for name in [scratch, files] { try? manager.removeItem(atPath: name) } }
    do {
      let folder = "\(files)/_EXTERNAL_DATA"
      if !request.externalRates.isEmpty {
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
      }
      let rows = try fill(scratch, files: folder)
      // A store is never without its values.
      if !request.externalRates.isEmpty { try manager.moveItem(atPath: files, toPath: support) }
      try manager.moveItem(atPath: scratch, toPath: path)
      return rows
    } catch {
      throw .cannotWrite("\(path) cannot be written: \(error)")
    }
  }

  private func fill(_ path: String, files: String) throws -> Int64 {
    let session = try StoreSession(
      path: path,
      pageSize: 4096,
      caches: StoreSession.CacheSizes(destination: 16_384, source: 0)
    )
    session.watch(isStopped)
    let builder = StoreBuilder(session)
    let definition = StoreDefinition(schema)
    try builder.createTables(definition)
    let sink = SQLRowSink(session)
    let contents = StoreContents(schema: schema, plan: plan, request: request, files: files)
    for source in contents.sources() {
      try sink.fill(source.table, source.columns) {
        try fill($0, of: sink, from: source)
      }
    }
    try finish(session, builder, definition)
    return sink.counted.rows
  }

  private func fill(
    _ rows: TableSink,
    of sink: any RowSink,
    from source: RowSource
  ) throws {
    let end = source.keys.upperBound
    var values: [SQLiteValue] = []
    for first in stride(from: source.keys.lowerBound, to: end, by: Int(Self.batchRows)) {
      if isStopped() { throw CancellationError() }
      values.removeAll(keepingCapacity: true)
      for key in first..<min(first + Self.batchRows, end) {
        let random = RepeatableRandom(seed: request.seed, stream: source.stream, index: key)
        var row = RowSource.Row(key: key, random: random)
        try source.append(&row, &values)
      }
      try rows.append(values)
      report(sink.counted.rows)
    }
  }

  private func finish(
    _ session: StoreSession,
    _ builder: StoreBuilder,
    _ definition: StoreDefinition
  ) throws {
    let allowsDuplicates = request.dirt[.duplicates] ?? 0 > 0
    for index in schema.indexes where !(allowsDuplicates && index.isUnique) {
      try builder.create(index.sql)
    }
    for ordering in schema.memberOrderings { try ordering.assignPositions(session) }
    for derived in schema.derivedAttributes { try derived.compute(session, now: 0) }
    for part in definition.parts() {
      switch part {
      case .primaryKeys: try builder.insert(schema.primaryKeyEntries { plan.highestKey(of: $0) })
      case .metadata: try builder.insert(metadata, of: definition)
      default: try builder.make(part, of: definition)
      }
    }
    try builder.useWriteAheadMode()
  }

  private var metadata: StoreMetadata {
    .fresh(for: model, uuid: uuid, frameworkVersion: Self.frameworkVersion)
  }

  /// The store's identifier, derived from the seed.
  private var uuid: String {
    var random = RepeatableRandom(seed: request.seed)
    return random.uuid().uuidString
  }
}
