import BulkTestSupport
import Foundation
import Testing

/// Exit codes are those of the manual's page ExitCodes.
@Suite(
  "The program, starting, converting and checking mappings",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct MappingCommandTests {
  private let program: Program

  init() throws { program = try Program() }

  private static let models = ["--source-model", "v1.mom", "--destination-model", "v2.mom"]

  private func write(_ mappings: String, to name: String = "all.json") throws {
    let text = """
      { "bulkmigrate": "mapping/1",
        "source": { "model": "v1.mom" }, "destination": { "model": "v2.mom" },
        "entityMappings": [
          \(mappings)
        ] }
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: program.directory.path(name)))
  }

  private static let converted = #"""
    {
      "bulkmigrate": "mapping/1",
      "source": { "model": "v1.mom" },
      "destination": { "model": "v2.mom" },
      "infer": "none",
      "entityMappings": [
        {
          "name": "NoteToNote",
          "type": "transform",
          "source": "Note",
          "destination": "Note",
          "attributes": {
            "stars": "2 + 3",
            "title": "$source.title"
          }
        }
      ]
    }

    """#

  @Test func `a mapping is converted to a file of its own, and back to itself`() throws {
    try write(#"{ "source": "Note", "destination": "Note", "attributes": { "stars": "2+3" } }"#)
    let run = try program("mapping", "--convert", "all.json", "--output", "out.json")
    #expect(run.status == 0)
    #expect(run.output == "")
    #expect(run.errors == "mapping written to out.json\n")
    let bytes = try program.directory.bytes()
    #expect(bytes["out.json"] == Data(Self.converted.utf8))
    #expect(try program("mapping", "--convert", "out.json").output == Self.converted)
  }

  @Test func `a starter is written, and only what is to be decided keeps it from being used`()
    throws
  {
    let words = ["mapping", "--init", "--output", "all.json"] + Self.models
    #expect(try program(words).status == 0)
    let check = try program("mapping", "--check", "all.json")
    #expect(check.status == 0)
    #expect(check.output == "all.json: nothing found\n")
  }

  @Test func `every fault is listed, and the program ends with 65`() throws {
    try write(
      #"""
      { "source": "Note", "destination": "Note",
        "attributes": { "stas": 1, "title": "$source.titel", "stars": null } }
      """#
    )
    let run = try program("mapping", "--check", "all.json")
    #expect(run.status == 65)
    #expect(
      run.output == """
        all.json:5:19: error: entity mapping NoteToNote, attribute stas: Note has no such attribute; \
        did you mean stars?
        all.json:5:48: error: entity mapping NoteToNote, attribute title: the source entity is Note, \
        and it has no property titel; did you mean title?

        """
    )
  }

  @Test func `warnings alone end with 0`() throws {
    try write(
      #"{ "source": "Note", "destination": "Note", "attributes": { "title": "\"x\"" } }"#
    )
    let run = try program("mapping", "--check", "all.json", "--json")
    #expect(run.status == 0)
    #expect(
      run.output == """
        {
          "bulkmigrate" : "mapping-findings/1",
          "findings" : [
            {
              "reason" : "its attribute title is read by nothing and lost",
              "severity" : "warning",
              "subject" : "source entity Note"
            }
          ]
        }

        """
    )
  }

  @Test func `a file that is there is not overwritten`() throws {
    try write("")
    let failure = try program.failure(["mapping", "--convert", "all.json", "-o", "all.json"])
    #expect(
      failure
        == Failure(
          status: 73,
          errors: "bulkmigrate: all.json already exists and is not overwritten; name another "
            + "destination or move it away\n"
        )
    )
  }

  @Test(
    arguments: [
      (
        ["mapping"], 64,
        "pass one of --init, --convert, --check, --try, --diff and --init-policy\nsee"
      ),
      (
        ["mapping", "--init", "--check", "x"], 64,
        "pass one of --init, --convert, --check, --try, --diff and --init-policy\nsee"
      ),
      (["mapping", "--init"], 64, "--init needs --source-model and --destination-model\nsee"),
      (
        ["mapping", "--check", "x", "-o", "y"], 64,
        "--check writes no file; leave out --output\nsee"
      ),
      (
        ["mapping", "--check", "x.json"], 66,
        "the mapping x.json cannot be read: the file does not exist\n"
      ),
      (
        ["mapping", "--convert", "v1.mom"], 65,
        "v1.mom:1:1: it is not JSON: expected a value, found 'b'\n"
      ),
      (
        ["mapping", "--init", "--source-model", "a", "--destination-model", "v2.mom"], 66,
        "a cannot be read"
      ),
    ] as [([String], Int32, String)]
  )
  func `what cannot be done is refused`(words: [String], status: Int32, text: String) throws {
    let failure = try program.failure(words)
    #expect(failure.status == status)
    #expect(failure.errors.hasPrefix("bulkmigrate: " + text), "\(failure.errors)")
    #expect(failure.output == "")
  }

  @Test func `a file without models asks for them`() throws {
    try Data(#"{ "bulkmigrate": "mapping/1" }"#.utf8)
      .write(to: URL(fileURLWithPath: program.directory.path("all.json")))
    let failure = try program.failure(["mapping", "--check", "all.json"])
    #expect(failure.status == 64)
    #expect(
      failure.errors.contains("no source model is named; pass --source-model or a mapping file")
    )
  }

  @Test func `inspect tells what a mapping holds`() throws {
    try write(#"{ "name": "N", "source": "Note", "destination": "Note" }"#)
    let run = try program("inspect", "all.json")
    #expect(run.status == 0)
    #expect(run.output.hasSuffix("  infer        unmentioned\n  N\n"))
  }

  @Test func `plan takes the mapping`() throws {
    try write(
      #"{ "source": "Note", "destination": "Note", "attributes": { "stars": "$source.no" } }"#
    )
    let words = ["plan", "--mapping", "all.json", "--source", "Notes.sqlite", "--destination", "x"]
    let failure = try program.failure(words)
    #expect(failure.status == 65)
    #expect(
      failure.errors
        == "bulkmigrate: all.json:4:82: entity mapping NoteToNote, attribute stars: the "
        + "source entity is Note, and it has no property no\n"
    )
  }
}
