internal import Foundation

/// A store in a folder of its own, planned for another model.
package struct Planned {
  package let directory: TemporaryDirectory
  package let source: StoreFile
  package var plan: MigrationPlan

  /// Plans the migration of a store, which is written first, to another model.
  ///
  /// Without `mappings` all is inferred, with them nothing else. The places in `request` are filled in. `change`
  /// changes the source before it is planned for.
  package init(
    _ store: TestStore,
    to model: ManagedObjectModel,
    by mappings: [EntityMapping]? = nil,
    _ request: PlanRequest = PlanRequest(),
    changing change: (StoreFile) throws -> Void = { _ in }
  ) throws {
    directory = TemporaryDirectory()
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
