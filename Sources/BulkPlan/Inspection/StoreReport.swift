internal import BulkModel
internal import BulkStore

/// The contents of a store, and the model that opens it.
public struct StoreReport: Codable, Hashable, Sendable {
  /// One entity of a store.
  public struct Entity: Codable, Hashable, Sendable {
    /// The number of the entity, `Z_ENT`.
    public var number: Int64
    /// The name of the entity in the model.
    public var name: String
    /// The name of its superentity.
    public var superentity: String?
    /// The table with its rows.
    public var table: String
    /// Its own rows, without those of subentities; `nil` where they were not counted.
    public var rows: Int64?
    /// The estimated size of its rows in bytes, from a sample; `nil` where they were not counted.
    public var estimatedBytes: Int64?
    /// Its version hash in hexadecimal.
    public var hash: String
  }

  /// A table that belongs to no entity.
  public struct Table: Codable, Hashable, Sendable {
    /// The name of the table in the file.
    public var name: String
    /// Its type: `join`, `history` or `unmanaged`.
    public var kind: String
    /// Its rows; `nil` where they were not counted.
    public var rows: Int64?
  }

  /// A model that was compared with the store.
  public struct Candidate: Codable, Hashable, Sendable {
    /// Where the model was found.
    public var path: String
    /// Whether it opens the store.
    public var opensStore: Bool
    /// The differing entities with their differences.
    public var differences: [String]
  }

  /// The model version of the store.
  public struct Version: Codable, Hashable, Sendable {
    /// The name of the version in its package.
    public var name: String
    /// The file that holds it; the first where models are merged.
    public var path: String
    /// The packages or folders that it belongs to, one for each merged model.
    public var packages: [String]
    /// Whether it is the current version; `nil` where none is marked.
    public var isCurrent: Bool?
    /// The name of the current version; `nil` where none is marked.
    public var currentVersion: String?
    /// The configuration whose entities the store has; `nil` if it has all.
    public var configuration: String?
  }

  /// The absolute path of the store.
  public var path: String
  /// Its version, where models were given to search.
  public var version: Version?
  /// The size of the file with its log, in bytes.
  public var bytes: Int64
  /// The size of a page in bytes.
  public var pageSize: Int
  /// Whether the file is in WAL mode.
  public var isInWriteAheadMode: Bool
  /// The identifier of the store, `Z_UUID`.
  public var uuid: String
  /// The version of Core Data that last wrote it.
  public var frameworkVersion: Int64
  /// The developer's identifiers of the model version.
  public var identifiers: [String]
  /// Whether SwiftData made it, as its version of three numbers and its history show.
  public var isOfSwiftData: Bool
  /// The application's own metadata, each value as text.
  public var metadata: [String: String]
  /// The rows that were lost when it was salvaged, as a sentence; `nil` if it was not.
  public var salvage: String?
  /// The models that were compared with it, the one that it keeps first.
  public var models: [Candidate]
  /// The entities, by number.
  public var entities: [Entity]
  /// The tables that belong to no entity.
  public var tables: [Table]
  /// Unmanaged columns, indexes, triggers and views.
  public var unmanaged: [String]
  /// The names of join tables and of their columns that differ from those of the model, a sentence each.
  public var misnamed: [String]
  /// The files of external values; `nil` if there are none and none is missing, or where nothing was counted.
  public var externalFiles: MigrationPlan.ExternalFiles?

  init(
    _ path: String,
    models: [String],
    library: ModelLibrary?,
    configuration: String?,
    countsRows: Bool
  ) throws(PlanError) {
    let store = try PlanError.reading(path, try PersistentStore(path: path))
    let version = try library.map { library throws(PlanError) in
      guard let found = library.version(of: store) else { throw library.noFittingModel(store) }
      return found
    }
    self.version = version.map { Version($0) }
    let candidates = try ModelCandidates(store, models, configuration)
    self.path = path
    bytes = store.size
    pageSize = store.pageSize
    isInWriteAheadMode = store.isInWriteAheadMode
    uuid = store.metadata.uuid
    frameworkVersion = store.metadata.frameworkVersion
    identifiers = store.metadata.versionIdentifiers
    isOfSwiftData = store.isOfSwiftData
    metadata = store.metadata.applicationEntries.mapValues(\.text)
    salvage = store.metadata.salvage
    self.models = candidates.reports
    entities = []
    tables = []
    unmanaged = []
    misnamed = []
    do throws(StoreError) {
      if countsRows { try store.refuseSharedPages() }
      try describe(store, model: candidates.fitting ?? version?.model.model, countsRows: countsRows)
    } catch {
      throw .store(error, path: path)
    }
  }

  private mutating func describe(
    _ store: PersistentStore,
    model: ManagedObjectModel?,
    countsRows: Bool
  ) throws(StoreError) {
    if let model {
      let layout = try store.layout(for: model)
      try describe(layout, store, countsRows: countsRows)
    } else {
      let hashes = store.metadata.versionHashes
      entities = try store.primaryKeys().map { entry in
        let hash = hashes[entry.name]?.description ?? ""
        return Entity(number: entry.number, name: entry.name, table: "", hash: hash)
      }
      tables = try store.schema.tables.map { table throws(StoreError) in
        let rows = countsRows ? try store.rows(in: table.name) : nil
        return Table(name: table.name, kind: "unmanaged", rows: rows)
      }
    }
  }

  private mutating func describe(
    _ layout: StoreLayout,
    _ store: PersistentStore,
    countsRows: Bool
  ) throws(StoreError) {
    let schema = layout.schema
    let hashes = store.metadata.versionHashes
    var counts = RowCounts()
    if countsRows {
      let missing = try store.missingExternalFiles(in: schema).reduce(0) { $0 + $1.count }
      let allowed = Set(PlanAllowance.allCases)
      externalFiles = try? MigrationPlan.ExternalFiles(of: path, missing: missing, unless: allowed)
      counts = try RowCounts(store, schema)
    }
    entities = schema.numbering.entities.map { entity in
      let number = schema.numbering.number(of: entity.name)
      let table = schema.table(of: entity).name
      let count = countsRows ? counts.byEntity[number] ?? 0 : nil
      return Entity(
        number: number,
        name: entity.name,
        superentity: entity.superentityName,
        table: table,
        rows: count,
        estimatedBytes: count.map { Int64(Double($0) * (counts.meanSizes[table] ?? 0)) },
        hash: hashes[entity.name]?.description ?? ""
      )
    }
    let others =
      schema.joinTables.map { ($0.name, "join") }
      + layout.historyTables.map { ($0.name, "history") }
      + layout.rTrees.map { ($0.name, "R-tree") }
      + layout.unmanagedTables.map {
        ($0.name, MirroringTables.contains($0.name) ? "CloudKit" : "unmanaged")
      }
    tables = try others.map { other throws(StoreError) in
      let rows = countsRows ? try store.rows(in: other.0) : nil
      return Table(name: other.0, kind: other.1, rows: rows)
    }
    unmanaged =
      layout.unmanagedColumns.sorted { $0.key < $1.key }
      .flatMap { table, columns in columns.map { $0.title(in: table) } }
      + layout.unmanagedObjects.map { "\($0.kind.rawValue) \($0.name)" }
    let isOlder = StoreNaming.followsOlderRules(store.metadata.frameworkVersion)
    misnamed = schema.misnamed.map {
      "\($0)"
        + (isOlder ? ", unless it uses the rules of the old framework that wrote the store" : "")
    }
  }
}

private struct ModelCandidates {
  /// The result for each, the one that the store keeps first.
  let reports: [StoreReport.Candidate]
  let fitting: ManagedObjectModel?

  init(
    _ store: PersistentStore,
    _ paths: [String],
    _ configuration: String?
  ) throws(PlanError) {
    var located: [LocatedModel] = []
    var unreadable: [StoreReport.Candidate] = []
    do throws(PlanError) {
      if let cached = try ModelLocator.cachedModel(of: store) { located.append(cached) }
    } catch {
      // The rest of the store can still be reported.
      unreadable.append(
        StoreReport.Candidate(path: store.path, opensStore: false, differences: ["\(error)"])
      )
    }
    for path in paths { located += try Self.versions(path, configuration) }
    let fitting = located.first { ModelLocator.fits($0.model, store) }?.model
    self.fitting = fitting
    reports =
      unreadable
      + located.map { located in
        let opensStore = ModelLocator.fits(located.model, store)
        return StoreReport.Candidate(
          path: located.input.path,
          opensStore: opensStore,
          differences: opensStore
            ? [] : ModelLocator.differences(store, located.model, knowing: fitting)
        )
      }
  }

  /// The versions that a path names, restricted to a configuration; earlier ones may not have it yet.
  private static func versions(
    _ path: String,
    _ configuration: String?
  ) throws(PlanError) -> [LocatedModel] {
    let versions = try ModelLocator.allVersions(path)
    guard let configuration, let last = versions.last else { return versions }
    let parts = versions.compactMap { try? $0.restricted(to: configuration) }
    return parts.isEmpty ? [try last.restricted(to: configuration)] : parts
  }
}

extension StoreReport.Version {
  init(_ found: FoundVersion) {
    name = found.name
    path = found.model.input.path
    packages = found.lines.map(\.path)
    isCurrent = found.isCurrent
    let current = found.lines.compactMap(\.current?.name)
    currentVersion =
      current.isEmpty || current.count < found.lines.count
      ? nil : current.joined(separator: " + ")
    configuration = found.model.input.configuration
  }
}
