internal import Foundation

/// An application's model in four versions, in `App.momd` of a folder of the test's own.
///
/// v1 has notes with titles; v2 gives them stars; v3 calls the stars rank, which no renaming identifier
/// tells; v4, the current version, adds a body.
package struct AppVersions {
  package let directory: TemporaryDirectory

  package static func model(_ number: Int) throws -> ManagedObjectModel {
    switch number {
    case 1: try .of(EntityDescription("Note", [.optional("title")]))
    case 2:
      try .of(EntityDescription("Note", [.optional("title"), .optional("stars", .integer16)]))
    case 3:
      try .of(EntityDescription("Note", [.optional("title"), .optional("rank", .integer16)]))
    default:
      try .of(
        .init("Note", [.optional("title"), .optional("rank", .integer16), .optional("body")])
      )
    }
  }

  package init() throws {
    directory = TemporaryDirectory()
    try write(package: "App.momd", ["v1", "v2", "v3", "v4"], current: "v4") { name in
      try Self.model(Int(name.dropFirst()) ?? 4)
    }
  }

  package func path(_ name: String) -> String { directory.path(name) }

  package func write(
    package: String,
    _ names: [String],
    current: String?,
    model: (String) throws -> ManagedObjectModel
  ) throws {
    let folder = try directory.folder(package)
    for name in names { try TestStore.write(try model(name), to: "\(folder)/\(name).mom") }
    guard let current else { return }
    let mark = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>NSManagedObjectModel_CurrentVersionName</key>
      <string>\(current)</string></dict></plist>
      """
    try Files.write(Array(mark.utf8), to: folder + "/VersionInfo.plist")
  }

  package func write(_ text: String, to name: String) throws {
    try Files.write(Array(text.utf8), to: path(name))
  }

  /// Writes the mapping from v2 to v3, which carries the stars on.
  package func writeMapping(
    _ name: String = "v2-to-v3.json",
    from source: String = "v2",
    to destination: String = "v3",
    rank: String = "$source.stars"
  ) throws {
    try write(
      """
      { "bulkmigrate": "mapping/1",
        "source": { "model": "App.momd/\(source).mom" },
        "destination": { "model": "App.momd/\(destination).mom" },
        "entityMappings": [
          { "source": "Note", "destination": "Note", "attributes": { "rank": "\(rank)" } } ] }
      """,
      to: name
    )
  }

  /// Writes a store of a version, with two notes, in place of one that is there.
  package func writeStore(_ number: Int, to name: String = "store.sqlite") throws {
    var values: [String: AttributeValue] = ["title": "a"]
    if number == 2 { values["stars"] = 5 }
    if number > 2 { values["rank"] = 5 }
    let store = TestStore(
      try Self.model(number),
      TestObject("Note", 1, values),
      TestObject("Note", 2, ["title": "b"])
    )
    if FileManager.default.fileExists(atPath: path(name)) {
      try FileManager.default.removeItem(atPath: path(name))
    }
    _ = try store.write(to: path(name))
  }
}
