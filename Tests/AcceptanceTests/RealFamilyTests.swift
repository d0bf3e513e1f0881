import BulkTestSupport
import Testing

/// A real store and a version of its model.
struct RealVersionPair: Sendable, CustomTestStringConvertible {
  /// The store, relative to the shared data.
  let store: String
  /// The model, or a store that keeps it.
  let model: String

  var testDescription: String { "\(store) to \(model)" }

  /// Every store with every version that lies in its folder, or is kept by a store there.
  ///
  /// Of the 28 versions of Wire, which `OracleTests` goes through one after another, the first and the last.
  static let all: [RealVersionPair] = SharedData.stores.flatMap { store in
    let family = folder(of: store)
    let found = versions.filter { $0.hasPrefix(family) }
    let models = found.isEmpty ? SharedData.stores.filter { $0.hasPrefix(family) } : found
    let isLong = models.count > 20
    return (isLong ? [models.first, models.last].compactMap(\.self) : models)
      .map { RealVersionPair(store: store, model: $0) }
  }

  private static func folder(of store: String) -> String {
    let parts = store.split(separator: "/").dropLast()
    switch parts.first {
    // The versions of these stores lie beside their mappings.
    case "apptentive": return "mappings/017/"
    case "swiftdata": return parts.joined(separator: "/") + "/"
    default: return (parts.first ?? "") + "/"
    }
  }

  private static let versions =
    SharedData.files { ["xcdatamodel", "mom"].contains($0.pathExtension) }
}

/// No run ends with a store that may not be published: a pair is done, or refused when it is planned.
@Suite(
  "Real stores by all versions of their models",
  .enabled(if: SharedData.isPresent, "skips because ../shared/data is not there")
)
struct RealFamilyTests {
  @Test(arguments: RandomSeeds.some(of: RealVersionPair.all, every: 17))
  func `a store goes to every version of its model`(pair: RealVersionPair) throws {
    let directory = TemporaryDirectory()
    try SharedData.copy(pair.store, to: directory.path("source.sqlite"))
    var request = PlanRequest()
    request.source = directory.path("source.sqlite")
    request.sourceModel = Self.sourceModels[pair.store].map { SharedData.path($0) }
    request.destination = directory.path("destination.sqlite")
    request.destinationModel = SharedData.path(pair.model)
    request.rebuilds = true
    let plan: MigrationPlan
    do throws(PlanError) {
      plan = try Planner.plan(request)
    } catch {
      switch error {
      case .notInferable, .notAllowed: return
      // A required value or object is missing in rows, which Core Data refuses, too (formats/migration.md 2.10, 2.16).
      case .badRows(let reasons)
      where reasons.allSatisfy({
        $0.contains(", but would be nil in ") || $0.contains(", but would be empty in ")
      }):
        return
      default: throw error
      }
    }
    _ = try Migration(inTestProcess: plan).run()
    #expect(try StoreFile(plan.destination.store).integrity() == [["ok"]])
  }

  /// The models of stores of old frameworks, which keep none.
  private static let sourceModels = [
    "apptentive/ATDataModelv4.sqlite":
      "mappings/017/ATDataModel.xcdatamodeld/ATDataModel 4.xcdatamodel",
    "apptentive/ATDataModelv5.sqlite":
      "mappings/017/ATDataModel.xcdatamodeld/ATDataModel 5.xcdatamodel",
    "book-migration/Model1.sqlite": "book-migration/Model.xcdatamodeld/Model1.xcdatamodel",
    "surf-journal/SurfJournalModel.sqlite":
      "surf-journal/SurfJournalModel.xcdatamodeld/SurfJournalModel.xcdatamodel",
  ]
}
