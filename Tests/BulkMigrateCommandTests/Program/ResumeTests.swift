import BulkTestSupport
import Foundation
import Testing

/// A migration by a mapping model of 26,000 notes, in two batches, with a filtered mapping whose
/// associations are written down, a policy-free relationship in either direction, and an index.
@Suite(
  "Migrations that are interrupted",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct ResumeTests {
  private let program: Program
  private let undisturbed: Data

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

  private func migrated() throws -> Data {
    let path = program.directory.path("Big.sqlite")
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private func killed(at failpoint: String, _ words: String...) throws -> Bool {
    let run = try program(words, environment: ["BULKMIGRATE_FAILPOINT": failpoint])
    return run.status == -9
  }

  @Test func `after a kill at any durable step the same bytes come out`() throws {
    var reached = 0
    for step in ["checkpoint", "commit"] {
      for number in 1... {
        guard try killed(at: "\(step):\(number)", "run", "-q") else { break }
        reached += 1
        let resumed = try program("resume", "-q")
        #expect(resumed.status == 0, "after \(step) \(number): \(resumed.errors)")
        #expect(try migrated() == undisturbed, "after \(step) \(number)")
      }
      // What ends the loop is a run that was not killed.
      #expect(try migrated() == undisturbed)
    }
    #expect(reached >= 20)
    #expect(try program.directory.contents().allSatisfy { !$0.hasSuffix(".bulkmigrate") })
  }

  @Test(arguments: ["counted", "synchronized", "published", "durable"])
  func `after a kill while the store is published the same bytes come out`(step: String) throws {
    #expect(try killed(at: "\(step):0", "run", "-q"))
    let resumed = try program("resume", "-q")
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(try migrated() == undisturbed)
    #expect(try program.directory.contents().allSatisfy { !$0.hasSuffix(".bulkmigrate") })
  }

  @Test func `a run that goes on may be killed again and again`() throws {
    #expect(try killed(at: "commit:2", "run", "-q"))
    for number in [3, 5, 6, 8, 9] {
      #expect(try killed(at: "commit:\(number)", "resume", "-q"))
    }
    #expect(try program("resume", "-q").status == 0)
    #expect(try migrated() == undisturbed)
  }

  @Test func `run does not begin over an interrupted one unless told`() throws {
    #expect(try killed(at: "commit:4", "run", "-q"))
    let refused = try program("run", "-q")
    #expect(refused.status == 73)
    #expect(
      refused.errors
        == "bulkmigrate: an interrupted migration is in \(program.directory.path)/Big.sqlite.bulkmigrate; "
        + "go on with bulkmigrate resume, or begin anew with bulkmigrate run --restart\n"
    )
    #expect(try program("run", "-q", "--restart").status == 0)
    #expect(try migrated() == undisturbed)
  }

  @Test func `there is nothing to resume where nothing was begun`() throws {
    let resumed = try program("resume", "-q")
    #expect(resumed.status == 66)
    #expect(
      resumed.errors
        == "bulkmigrate: there is no interrupted migration in \(program.directory.path)/Big.sqlite.bulkmigrate; "
        + "bulkmigrate run begins one\n"
    )
  }

  @Test func `a damaged checkpoint costs a step, not the migration`() throws {
    #expect(try killed(at: "checkpoint:6", "run", "-q"))
    let folder = program.directory.path("Big.sqlite.bulkmigrate")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasPrefix("checkpoint-") }
    #expect(names.sorted() == ["checkpoint-4", "checkpoint-5"])
    for count in [0, 1, 100] {
      let path = folder + "/checkpoint-6"
      let whole = try Data(contentsOf: URL(fileURLWithPath: folder + "/checkpoint-5"))
      try whole.prefix(count).write(to: URL(fileURLWithPath: path))
    }
    #expect(try program("resume", "-q").status == 0)
    #expect(try migrated() == undisturbed)
  }
}
