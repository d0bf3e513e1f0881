import BulkTestSupport
import Foundation
import Testing

/// A migration by a mapping model of 26,000 notes, in several transactions, with a filtered mapping
/// whose associations are written down, a relationship in either direction, and an index.
struct LongMigration {
  let program: Program
  /// The destination as a run makes it that nobody disturbs.
  let undisturbed: Data

  private static let mapping = """
    {
      "bulkmigrate": "mapping/1",
      "infer": "unmentioned",
      "entityMappings": [
        {
          "source": "Note", "destination": "Attachment", "filter": "image != nil",
          "attributes": { "image": "$source.image" },
          "relationships": {
            "note": "FUNCTION($manager, \\"destinationInstancesForEntityMappingNamed:sourceInstances:\\", \\"NoteToNote\\", $source)"
          }
        },
        { "source": "Note", "destination": "Note", "attributes": { "title": "uppercase:($source.title)" } }
      ]
    }
    """

  private static func model(_ entities: String) -> String {
    "<?xml version=\"1.0\"?><model type=\"com.apple.IDECoreDataModeler.DataModel\">\(entities)</model>"
  }

  private static let before = model(
    """
    <entity name="Note"><attribute name="image" optional="YES" attributeType="Binary"/>\
    <attribute name="title" optional="YES" attributeType="String"/></entity>
    """
  )
  private static let after = model(
    """
    <entity name="Attachment"><attribute name="image" optional="YES" attributeType="Binary"/>\
    <relationship name="note" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Note" inverseName="attachments" inverseEntity="Attachment"/></entity>\
    <entity name="Note"><attribute name="title" optional="YES" attributeType="String"/>\
    <relationship name="attachments" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Attachment" inverseName="note" inverseEntity="Note"/></entity>
    """
  )

  /// Makes the models, the source, the plan and, once, the destination.
  init() throws {
    program = try Program()
    let folder = program.directory
    for (name, text) in [("A.xcdatamodel", Self.before), ("B.xcdatamodel", Self.after)] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name),
        withIntermediateDirectories: true
      )
      try text.write(toFile: folder.path("\(name)/contents"), atomically: true, encoding: .utf8)
    }
    try Self.mapping.write(toFile: folder.path("all.json"), atomically: true, encoding: .utf8)
    let fixture = [
      "fixture", "-q", "--model", "A.xcdatamodel", "--rows", "Note=26000", "--nil",
      "Note.image=90%", "--bytes", "Note.image=60-70", "--output", "Source.sqlite",
    ]
    try #require(try program(fixture).status == 0)
    let plan = [
      "plan", "-q", "--source", "Source.sqlite", "--source-model", "A.xcdatamodel",
      "--destination", "Big.sqlite", "--destination-model", "B.xcdatamodel", "--mapping",
      "all.json",
    ]
    let planned = try program(plan)
    try #require(planned.status == 0, "\(planned.errors)")
    let run = try program("run", "-q")
    try #require(run.status == 0, "\(run.errors)")
    undisturbed = try Data(contentsOf: URL(fileURLWithPath: folder.path("Big.sqlite")))
    try FileManager.default.removeItem(atPath: folder.path("Big.sqlite"))
  }

  /// The destination, which is taken away.
  func migrated() throws -> Data {
    let path = program.directory.path("Big.sqlite")
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// Whether the program died at a failpoint.
  func killed(at failpoint: String, _ words: [String]) throws -> Bool {
    let run = try program(words, environment: ["BULKMIGRATE_FAILPOINT": failpoint])
    return run.status == -9
  }

  /// The program, standing still at a failpoint.
  func standing(at place: String, _ words: String...) throws -> StoppableProcess {
    try standing(at: place, words)
  }

  /// The program, standing still at a failpoint.
  func standing(at place: String, _ words: [String]) throws -> StoppableProcess {
    let process = try StoppableProcess(
      Program.path ?? "/nowhere",
      words,
      in: program.directory.path,
      environment: Program.environment.merging(["BULKMIGRATE_STANDSTILL": place]) { $1 }
    )
    try #require(process.standsStill(), "\(process.errors)")
    return process
  }

  /// The state directory.
  var state: String { program.directory.path("Big.sqlite.bulkmigrate") }

  /// What lies beside the source, the models, the mapping and the plan.
  func leftovers() throws -> [String] {
    let own: Set = [
      "A.xcdatamodel", "B.xcdatamodel", "all.json", "Source.sqlite", "bulkmigrate.plan.json",
      "v1.mom", "v2.mom", "Notes.sqlite",
    ]
    return try FileManager.default.contentsOfDirectory(atPath: program.directory.path)
      .filter { !own.contains($0) }.sorted()
  }
}
