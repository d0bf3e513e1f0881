import BulkExecute
import BulkMapping

/// Stands in for the policy of core-data-plus: a car's maker, which was a text, becomes an object that
/// all its cars share.
struct MakerPolicy: EntityMigrationPolicy {
  func createDestinationInstances(
    forSource source: borrowing SourceInstance,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    var car = try manager.evaluate(mapping, forSource: source)
    if let name = try source["maker"] {
      try car.setObject(try manager.findOrInsert("Maker", with: ["name": name]), for: "createdBy")
    }
    try manager.insert(car, forSource: source, in: mapping)
  }
}
