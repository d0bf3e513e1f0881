import BulkMigrate
import BulkMigrateCommand

/// Makes a first and a last name of a name, as split_name.py and split_name.c do.
struct SplitName: EntityMigrationPolicy {
  func createDestinationInstances(
    forSource source: borrowing SourceInstance,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    var person = try manager.evaluate(mapping, forSource: source)
    let words = try source["name"].text.split(separator: " ", maxSplits: 1)
    try person.setValue(.string(words.first.map(String.init) ?? ""), forKey: "first")
    try person.setValue(.string(words.last.map(String.init) ?? ""), forKey: "last")
    try manager.insert(person, forSource: source, in: mapping)
  }
}

/// Makes one object of a row from three attributes.
struct Address: EntityMigrationPolicy {
  func createDestinationInstances(
    forSource source: borrowing SourceInstance,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    var person = try manager.makeInstance(ofEntity: "Person")
    let (name, street, city) = (try source["name"], try source["street"], try source["city"])
    try person.setValue(name, forKey: "name")
    try person.setValue(.string("\(street.text), \(city.text)"), forKey: "address")
    try manager.insert(person, forSource: source, in: mapping)
  }
}

extension AttributeValue? {
  /// The text of a string; empty for anything else.
  fileprivate var text: String {
    if case .string(let text) = self { text } else { "" }
  }
}

BulkMigrateCommand.main(policies: ["SplitName": SplitName(), "Address": Address()])
