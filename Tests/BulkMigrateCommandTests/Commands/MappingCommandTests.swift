import BulkTestSupport
import Testing

/// Exit codes are those of the manual's page ExitCodes.
struct MappingCommandTests {
  private let program: Program

  init() throws { program = try Program(.call) }

  private func write(_ attributes: String) throws {
    try program.write(
      """
      { "bulkmigrate": "mapping/1",
        "source": { "model": "v1.mom" }, "destination": { "model": "v2.mom" }, "entityMappings": [
          { "name": "N", "source": "Note", "destination": "Note", "attributes": { \(attributes) } } ] }
      """,
      to: "all.json"
    )
  }

  @Test func `a mapping is converted to a file of its own, and back to itself`() throws {
    try write(#""stars": "2+3""#)
    let run = try program("mapping", "convert", "all.json", "--output", "out.json", ending: 0)
    #expect(run.output == "")
    #expect(run.errors == "mapping written to out.json\n")
    let text = try program.text(of: "out.json")
    #expect(text.contains(#""stars": "2 + 3","#))
    try program("mapping", "convert", "out.json", "--output", "again.json", ending: 0)
    #expect(try program.text(of: "again.json") == text)
    #expect(
      try program("inspect", "all.json").output.hasSuffix("  infer        unmentioned\n  N\n")
    )
  }

  @Test func `a mapping is converted for Xcode and for Core Data, and back to itself`() throws {
    try write(#""stars": "2+3""#)
    try program("mapping", "convert", "all.json", "--output", "out.json", ending: 0)
    for name in ["out.xcmappingmodel", "out.cdm"] {
      let run = try program("mapping", "convert", "all.json", "--output", name, ending: 0)
      #expect(run.errors == "mapping written to \(name)\n")
      try program("mapping", "convert", "all.json", "--output", name, ending: 73)
      let models = ["--source-model", "v1.mom", "--destination-model", "v2.mom"]
      let difference = try program(["mapping", "diff", name, "out.json"] + models)
      #expect(difference.output == "no difference\n")
    }
    try write(#""stars": "rowKey()""#)
    let refused = try program("mapping", "convert", "all.json", "--output", "no.cdm", ending: 65)
    #expect(
      refused.errors.contains(
        "all.json:3:87: entity mapping N, attribute stars: Core Data has no function rowKey"
      )
    )
  }

  @Test func `a starter is written, and only what is to be decided keeps it from being used`()
    throws
  {
    let models = ["--source-model", "v1.mom", "--destination-model", "v2.mom"]
    #expect(try program(["mapping", "init", "--output", "all.json"] + models).status == 0)
    let check = try program("mapping", "check", "all.json", ending: 0)
    #expect(check.output == "all.json: nothing found\n")
  }

  @Test func `every fault is listed and ends with 65, warnings alone end with 0`() throws {
    try write(#""stas": 1, "title": "$source.titel", "stars": null"#)
    let faults = try program("mapping", "check", "all.json", ending: 65)
    let lines = faults.output.split(separator: "\n")
    #expect(lines.count == 2, "\(faults.output)")
    #expect(lines[0].hasPrefix("all.json:3:77: error: entity mapping N, attribute stas: Note has"))
    #expect(lines[1].hasSuffix("has no property titel; did you mean title?"))
    try write(#""title": "\"x\"""#)
    let warnings = try program("mapping", "check", "all.json", "--json", ending: 0)
    for part in [
      #""bulkmigrate" : "mapping-findings/1""#, #""subject" : "source entity Note""#,
      #""severity" : "warning""#, #""reason" : "its attribute title is read by nothing and lost""#,
    ] { #expect(warnings.output.contains(part), "\(warnings.output)") }
  }
}
