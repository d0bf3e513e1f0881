import BulkTestSupport
import Testing

/// `--like-core-data`: formats/migration.md 2.13, 2.14 and 2.20.
struct LikeCoreDataTests {
  private let app: AppVersions

  /// v1 may keep images in files, v2 may not.
  init() throws {
    app = try AppVersions()
    try app.write(package: "App.momd", ["v1", "v2"], current: "v2") { version in
      try .of(
        .init("Note", [version == "v1" ? .external("image") : .optional("image", .binaryData)])
      )
    }
    let model = try ModelLocator.model(named: app.path("App.momd/v1.mom")).model
    _ = try TestStore(model).write(to: app.path("store.sqlite"))
  }

  private static let sentence =
    "no longer allows external storage: Core Data refuses this; bulkmigrate stores the values in the rows"

  /// A request that names the model, or one that looks for the route to it.
  private func request(_ isRoute: Bool, _ isLikeCoreData: Bool) -> PlanRequest {
    var request = PlanRequest()
    request.source = app.path("store.sqlite")
    request.destination = app.path("new.sqlite")
    if isRoute {
      request.models = [app.path("App.momd")]
      request.version = "v2"
    } else {
      request.destinationModel = app.path("App.momd/v2.mom")
    }
    request.isLikeCoreData = isLikeCoreData
    return request
  }

  @Test(arguments: [false, true])
  func `what Core Data refuses is done, and said`(isRoute: Bool) throws {
    let plan = try Planner.plan(request(isRoute, false))
    #expect(plan.warnings == ["Note.image \(Self.sentence)"])
  }

  @Test(arguments: [false, true])
  func `with the option it is refused in the same words`(isRoute: Bool) throws {
    let text = failure { try Planner.plan(request(isRoute, true)) }
    #expect(
      text == """
        no mapping can be inferred between the two models, for 1 reason:
          Note.image: \(Self.sentence)
        """
    )
  }
}
