internal import BulkVersions
internal import BulkModel
internal import BulkPlatform

/// The contents of a model, or of a version package.
public struct ModelReport: Codable, Hashable, Sendable {
  /// One version of a model.
  public struct Version: Codable, Hashable, Sendable {
    /// The version's name.
    public var name: String
    /// The file that holds it.
    public var path: String
    /// Whether it is the current version of its package.
    public var isCurrent: Bool
    /// The developer's identifiers.
    public var identifiers: [String]
    /// The checksum that identifies it in staged migration.
    public var checksum: String
    /// The entities, by name.
    public var entities: [Entity]
  }

  /// One entity of a model.
  public struct Entity: Codable, Hashable, Sendable {
    /// The entity's name.
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

  /// Its path.
  public var path: String
  /// The versions, by name.
  public var versions: [Version]

  init(_ path: String) throws(PlanError) {
    self.path = path
    if let package = try ModelLocator.modelPackage(path) {
      versions = []
      for version in package.versions {
        let located = try ModelLocator.inFile(version.path)
        versions.append(
          Version(located, name: version.name, isCurrent: version.isCurrent)
        )
      }
    } else {
      let located = try ModelLocator.inFile(path)
      let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
      versions = [Version(located, name: name, isCurrent: true)]
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
