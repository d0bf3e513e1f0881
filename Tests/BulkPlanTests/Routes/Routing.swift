import BulkTestSupport

/// Plans the way of stores of ``AppVersions``.
struct Routing {
  let app: AppVersions
  var request = PlanRequest()

  init() throws {
    app = try AppVersions()
    request.source = app.path("store.sqlite")
    request.destination = app.path("new.sqlite")
    request.models = [app.path("App.momd")]
    request.mappings = [app.directory.path]
    // What is done as one would be one step here.
    request.fuses = false
  }

  func plan(_ number: Int) throws -> MigrationPlan {
    try app.writeStore(number)
    return try Planner.plan(request)
  }

  /// The steps of a plan, such as `v1 → v2` and `v2 → v3 by v2-to-v3.json`.
  func steps(_ plan: MigrationPlan) -> [String] {
    plan.steps.map { step in
      let mapping = step.mapping.path.map { " by \(name($0))" } ?? ""
      return "\(bare(step.source.path)) → \(bare(step.destination.path))\(mapping)"
    }
  }

  /// What keeps a store of a version from being planned, with `DIR` for the folder.
  func refusal(_ number: Int) throws -> String {
    do {
      return steps(try plan(number)).joined(separator: ", ")
    } catch let error as PlanError {
      return error.description.replacing(app.directory.path, with: "DIR")
    }
  }

  private func name(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private func bare(_ path: String) -> String {
    name(path).split(separator: ".").dropLast().joined(separator: ".")
  }
}
