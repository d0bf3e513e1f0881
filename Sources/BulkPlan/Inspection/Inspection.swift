internal import BulkModel
internal import BulkSupport
internal import BulkMapping

/// The type and contents of a file: a store, a model, a version package or a mapping.
public enum Inspection: Sendable {
  case store(StoreReport)
  /// A model, or the versions of one.
  case model(ModelReport)
  /// A mapping file.
  case mapping(MappingReport)

  /// Inspects a file.
  ///
  /// - Parameters:
  ///   - path: The file or folder.
  ///   - models: Models, version packages or stores to compare a store with.
  ///   - library: Files and folders with the versions of a store's model.
  ///   - configuration: The configuration of these models whose entities the store has, if it is known.
  ///   - countsRows: Whether to count a store's rows; otherwise only metadata is read, in milliseconds for
  ///     any size of store.
  /// - Returns: Its contents.
  /// - Throws: An error that describes itself, if the type of the file is unknown, or if it is corrupt.
  public static func inspect(
    _ path: String,
    models: [String] = [],
    library: [String] = [],
    configuration: String? = nil,
    countsRows: Bool = true
  ) throws -> Inspection {
    let url = URL(fileURLWithPath: path).standardizedFileURL
    switch url.pathExtension {
    case "xcdatamodel", "xcdatamodeld", "mom", "momd":
      return .model(try ModelReport(url.path))
    case "json", "xcmappingmodel", "cdm":
      return .mapping(try MappingReport(url.path))
    default:
      return .store(
        try StoreReport(
          url.path,
          models: models,
          library: library.isEmpty
            ? nil
            : try ModelLibrary(models: library, mappings: [], configuration: configuration),
          configuration: configuration,
          countsRows: countsRows
        )
      )
    }
  }
}

/// The contents of a mapping file.
public struct MappingReport: Codable, Hashable, Sendable {
  /// The absolute path of the mapping file.
  public var path: String
  /// The source store, if it names one.
  public var sourceStore: String?
  /// The source model, if it names one.
  public var sourceModel: String?
  /// The destination store, if it names one.
  public var destinationStore: String?
  /// The destination model, if it names one.
  public var destinationModel: String?
  /// The mapping of Xcode whose entity mappings it uses, if any.
  public var mapping: String?
  /// The treatment of properties and entities that it does not mention.
  public var infer: String
  /// The entity mappings, by name, in their order.
  public var entityMappings: [String]

  init(_ path: String) throws(PlanError) {
    let file = try MappingFile.planned(path)
    try PlanError.readingMapping(try file.refuseFaults())
    self.path = path
    sourceStore = file.source.store
    sourceModel = file.source.model
    destinationStore = file.destination.store
    destinationModel = file.destination.model
    mapping = file.xcodePath
    infer = file.infer.rawValue
    entityMappings = file.entityMappingNames
  }
}

/// The contents of a model, or of a version package.
public struct ModelReport: Codable, Hashable, Sendable {
  /// One version of a model.
  public struct Version: Codable, Hashable, Sendable {
    /// The name of the version in its package.
    public var name: String
    /// The file that holds it.
    public var path: String
    /// Whether it is the current version of its package.
    public var isCurrent: Bool
    /// The developer's identifiers of the version.
    public var identifiers: [String]
    /// The checksum that identifies it in staged migration.
    public var checksum: String
    /// The entities, by name.
    public var entities: [Entity]
  }

  /// One entity of a model.
  public struct Entity: Codable, Hashable, Sendable {
    /// The name of the entity in the model.
    public var name: String
    /// The name of its superentity.
    public var superentity: String?
    /// Whether it has no objects of its own.
    public var isAbstract: Bool
    /// The number of its attributes, inherited ones included.
    public var attributes: Int
    /// The number of its relationships, inherited ones included.
    public var relationships: Int
    /// Its version hash in hexadecimal.
    public var hash: String
  }

  /// The absolute path of the model or the package.
  public var path: String
  /// The versions, sorted by name.
  public var versions: [Version]

  init(_ path: String) throws(PlanError) {
    self.path = path
    if let package = try ModelLocator.modelPackage(path) {
      versions = try package.versions.map { version throws(PlanError) in
        let located = try ModelLocator.inFile(version.path)
        return Version(located, name: version.name, isCurrent: version.isCurrent)
      }
    } else {
      let located = try ModelLocator.inFile(path)
      versions = [Version(located, name: located.versionName, isCurrent: true)]
    }
  }
}

extension ModelReport.Version {
  init(_ located: LocatedModel, name: String, isCurrent: Bool) {
    let model = located.model
    let hashes = model.entityVersionHashesByName
    self.name = name
    path = located.input.path
    self.isCurrent = isCurrent
    identifiers = model.versionIdentifiers
    checksum = VersionHash.checksum(of: hashes)
    entities = model.entities.map { entity in
      ModelReport.Entity(
        name: entity.name,
        superentity: entity.superentityName,
        isAbstract: entity.isAbstract,
        attributes: model.attributes(of: entity).count,
        relationships: model.relationships(of: entity).count,
        hash: hashes[entity.name]?.description ?? ""
      )
    }
  }
}
