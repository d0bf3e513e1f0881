internal import BulkVersions
internal import BulkMapping

/// The contents of a mapping file.
public struct MappingReport: Codable, Hashable, Sendable {
  /// Its path.
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
  /// What is inferred.
  public var infer: String
  /// The entity mappings, by name, in their order.
  public var entityMappings: [String]

  init(_ path: String) throws(PlanError) {
    let file = try MappingFile.planned(path)
    do throws(MappingError) {
      try file.refuseFaults()
    } catch {
      throw .mapping(error)
    }
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
