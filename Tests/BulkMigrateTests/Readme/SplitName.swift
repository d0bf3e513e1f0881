import BulkMigrate

/// Makes a first and a last name of one name.
struct SplitName: EntityMigrationPolicy {
  func createDestinationInstances(
    forSource source: borrowing SourceInstance,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    var person = try manager.evaluate(mapping, forSource: source)
    if case .string(let name) = try source["name"] {
      let words = name.split(separator: " ", maxSplits: 1).map { AttributeValue.string(String($0)) }
      try person.setValue(words.first, forKey: "firstName")
      try person.setValue(words.dropFirst().first, forKey: "lastName")
    }
    try manager.insert(person, forSource: source, in: mapping)
  }
}
