public import BulkMigrate

/// Makes of every person a person without an address, and of every address that occurs one address,
/// to which all persons lead who live there.
public struct PersonToPersonPolicy: EntityMigrationPolicy {
  /// The policy; it has no state.
  public init() {}

  /// Makes the person, and the address if nobody before lived there.
  ///
  /// A person who has no part of an address gets none.
  public func createDestinationInstances(
    forSource source: borrowing SourceInstance,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    // What the mapping model says: name.
    var person = try manager.evaluate(mapping, forSource: source)
    let parts = [
      "street": try source["street"], "city": try source["city"], "zip": try source["zip"],
    ]
    if parts.values.contains(where: { $0 != nil }) {
      // Found on the disk, however many persons lie between.
      let address = try manager.findOrInsert("Address", with: parts.mapValues { $0 ?? .null })
      try person.setObject(address, for: "address")
    }
    try manager.insert(person, forSource: source, in: mapping)
  }
}
