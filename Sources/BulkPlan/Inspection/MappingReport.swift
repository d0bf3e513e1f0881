/// What a mapping file says.
public struct MappingReport: Codable, Hashable, Sendable {
  /// Where it lies.
  public var path: String
  /// The source store, if it names one.
  public var sourceStore: String?
  /// The source model, if it names one.
  public var sourceModel: String?
  /// The destination store, if it names one.
  public var destinationStore: String?
  /// The destination model, if it names one.
  public var destinationModel: String?
  /// What is inferred.
  public var infer: String

  init(_ path: String) throws(PlanError) {
    let file = try MappingFile.read(path)
    let request = file.completing(PlanRequest(), path: path)
    self.path = path
    sourceStore = request.source
    sourceModel = request.sourceModel
    destinationStore = request.destination
    destinationModel = request.destinationModel
    infer = file.infer ?? "unmentioned"
  }
}
