import BulkTestSupport
import Testing

/// Versions and mappings by other hands; the expectations follow from the names of the files.
@Suite(
  "Ways of real stores",
  .enabled(if: SharedData.isPresent, "needs ../shared/data")
)
struct RealRouteTests {
  private let folder = TemporaryDirectory()

  private func steps(_ store: String, models: String, to version: String?) throws -> [String] {
    var request = PlanRequest()
    request.source = SharedData.path(store)
    request.destination = folder.path("new.sqlite")
    request.models = [SharedData.path(models)]
    request.version = version
    do throws(PlanError) {
      return try Planner.plan(request).steps.map { step in
        let files = [step.source.path, step.destination.path] + step.mapping.files
        return files.map { URL(fileURLWithPath: $0).lastPathComponent }.joined(separator: ", ")
      }
    } catch {
      return error.description.replacing(SharedData.directory.path, with: "DATA")
        .split(separator: "\n").map { String($0) }
    }
  }

  // formats/migration.md 1.2, 8.1
  @Test func `a mapping model is for all models with the entities that it maps`() throws {
    let models = try folder.folder("models")
    let notes = "uncloudnotes/UnCloudNotesDataModel.xcdatamodeld/UnCloudNotesDataModel"
    let mapping = "uncloudnotes/UnCloudNotesMappingModel_v2_to_v3.xcmappingmodel"
    for version in ["v2", "v3"] {
      let model = try ModelLocator.model(named: SharedData.path("\(notes) \(version).xcdatamodel"))
        .model
      try TestStore.write(
        ManagedObjectModel(entities: model.entities + [EntityDescription("Tag")]),
        to: "\(models)/\(version).mom"
      )
    }
    let model = try ModelLocator.model(named: "\(models)/v2.mom").model
    _ = try TestStore(model).write(to: folder.path("store.sqlite"))
    var request = PlanRequest()
    request.source = folder.path("store.sqlite")
    request.destination = folder.path("new.sqlite")
    request.models = [models]
    request.mappings = [SharedData.path(mapping)]
    request.version = "v3"
    let steps = try Planner.plan(request).steps
    #expect(steps.map(\.source.path) == ["\(models)/v2.mom"])
    #expect(steps.map(\.destination.path) == ["\(models)/v3.mom"])
    #expect(steps.map(\.mapping.files) == [[SharedData.path(mapping)]])
  }

  /// Moody by way of its mapping, a mapping in compiled form, thirteen versions as one inferred step, and two
  /// mappings of one step, which are joined.
  @Test(
    arguments: [
      (
        "moody/Moody.moody", "moody", nil,
        [
          "Moody.xcdatamodel, Moody 2.xcdatamodel",
          "Moody 2.xcdatamodel, Moody 3.xcdatamodel, Moody 2-Moody 3.xcmappingmodel",
          "Moody 3.xcdatamodel, Moody 6.xcdatamodel",
        ]
      ),
      (
        "moody/Moody 2.moody", "moody", nil,
        [
          "Moody 2.xcdatamodel, Moody 3.xcdatamodel, Moody 2-Moody 3.xcmappingmodel",
          "Moody 3.xcdatamodel, Moody 6.xcdatamodel",
        ]
      ),
      ("moody/Moody 3.moody", "moody", nil, ["Moody 3.xcdatamodel, Moody 6.xcdatamodel"]),
      (
        "core-data-plus/SampleModel_V1.sqlite", "core-data-plus", "SampleModel3",
        ["SampleModel.mom, SampleModel2.mom", "SampleModel2.mom, SampleModel3.mom, V2toV3.cdm"]
      ),
      (
        "wire/stores/store2-24-1.sqlite", "wire/models", "zmessaging2.39.0",
        ["zmessaging2.24.1.xcdatamodel, zmessaging2.39.0.xcdatamodel"]
      ),
      (
        "book-migration/Model1.sqlite", "book-migration", nil,
        [
          "Model1.xcdatamodel, Model2.xcdatamodel, Model1_to_Model2.xcmappingmodel",
          "Model2.xcdatamodel, Model3.xcdatamodel, Model2_to_Model3.xcmappingmodel, "
            + "Model2_to_Model3_User.xcmappingmodel",
        ]
      ),
    ] as [(String, String, String?, [String])]
  )
  func `a real store goes by its models and mappings`(
    store: String,
    models: String,
    version: String?,
    expected: [String]
  ) throws {
    #expect(try steps(store, models: models, to: version) == expected)
  }
}
