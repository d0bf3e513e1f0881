package import BulkMapping
package import BulkModel
package import BulkPlan
package import BulkVersions
internal import Foundation

/// A store in a folder of its own, planned for another model.
package struct Planned {
  package let directory: TemporaryDirectory
  package let source: StoreFile
  package var plan: MigrationPlan

  /// Plans the migration of a store to another model.
  ///
  /// - Parameters:
  ///   - store: The source, which is written first.
  ///   - model: The model of the destination.
  ///   - mappings: The entity mappings; nothing else is inferred. `nil` to infer all.
  ///   - request: What else is asked for; places in the folder are filled in.
  ///   - change: Changes the source before it is planned for.
  /// - Throws: Any error of planning.
  package init(
    _ store: TestStore,
    to model: ManagedObjectModel,
    by mappings: [EntityMapping]? = nil,
    _ request: PlanRequest = PlanRequest(),
    changing change: (StoreFile) throws -> Void = { _ in }
  ) throws {
    directory = try TemporaryDirectory()
    source = try store.write(to: directory.path("source.sqlite"))
    try change(source)
    try TestStore.write(store.model, to: directory.path("source.mom"))
    try TestStore.write(model, to: directory.path("destination.mom"))
    var request = request.within(directory)
    if let mappings {
      request.mapping = directory.path("all.json")
      try MappingModel(entityMappings: mappings).json
        .write(toFile: directory.path("all.json"), atomically: true, encoding: .utf8)
    }
    plan = try Planner.plan(request)
  }
}

extension PlanRequest {
  /// The request for `source.sqlite` of `source.mom` to become `destination.sqlite` of `destination.mom` in a folder.
  package init(in directory: TemporaryDirectory) { self = PlanRequest().within(directory) }

  /// The request for a store of the corpus to become `destination.sqlite` in a folder as Core Data migrated it.
  package init(_ pair: OraclePair, in directory: TemporaryDirectory) {
    self.init()
    source = SharedData.path(pair.source)
    sourceModel = pair.sourceModel.map { SharedData.path($0) }
    destination = directory.path("destination.sqlite")
    destinationModel = SharedData.path(
      pair.destinationModel == "-" ? pair.destination : pair.destinationModel
    )
  }

  fileprivate func within(_ directory: TemporaryDirectory) -> PlanRequest {
    var result = self
    result.source = directory.path("source.sqlite")
    result.sourceModel = directory.path("source.mom")
    result.destination = directory.path("destination.sqlite")
    result.destinationModel = directory.path("destination.mom")
    return result
  }
}
