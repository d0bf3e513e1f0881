import BulkTestSupport
import Testing

/// A run that leaves 3 of 144 notes out, and with them the links to them, is killed behind many steps.
@Suite("What was asked of a run that is interrupted", .tags(.promise16), .program)
struct GateTests {
  private let program: Program
  private static let folder = "Big.sqlite.bulkmigrate"
  private static let run = ["run", "--on-error", "quarantine", "--max-loss", "3"]

  init() throws {
    program = try Program()
    try plan(notes: 144, without: 60)
  }

  /// Plans for notes, of which the third of every so many has no title, with a link to each.
  private func plan(
    notes count: Int64,
    without share: Int64,
    unique: [String]? = nil,
    isRequired: Bool = false
  ) throws {
    func model(_ title: AttributeDescription) throws -> ManagedObjectModel {
      var note = RelationshipDescription.toOne("note", "Note.links")
      note.isOptional = !isRequired
      return try .of(
        .init("Note", [title], [.toMany("links", "Link.note")]),
        .init("Link", [.optional("target")], [note])
      )
    }
    var store = TestStore(try model(.optional("title")))
    store.objects = (1...count).map {
      TestObject("Note", $0, ["title": $0 % share == 3 ? .null : .string("note \($0)")])
    }
    store.objects += (1...count).map { TestObject("Link", $0, links: ["note": [count + 1 - $0]]) }
    let made = instances("NoteToNote", "$source.note")
    try program.plan(
      store,
      to: model(.required("title")),
      by: [
        .of("Note", "Note", unique: unique, keeping: .quarantine, ["title": "$source.title"]),
        .of(
          "Link",
          "Link",
          where: isRequired ? "note != nil" : nil,
          ["target": "$source.target"],
          ["note": made]
        ),
      ]
    )
  }

  private func command(_ words: [String], dyingAt failpoint: String? = nil) throws -> ProcessRun {
    var environment = ["BULKMIGRATE_BATCH_ROWS": "100"]
    environment["BULKMIGRATE_FAILPOINT"] = failpoint
    return try program(words + ["-q"], environment: environment)
  }

  private func resume(_ words: String...) throws -> ProcessRun { try command(["resume"] + words) }

  private func kill(after step: Int) throws {
    program.remove("Big.sqlite", Self.folder)
    try command(Self.run, dyingAt: "step:\(step)").ending(-9, "step \(step)")
  }

  /// The bytes of the destination and of what was left out.
  private func made() throws -> [[UInt8]] {
    try ["Big.sqlite", "\(Self.folder)/rejects/Note.jsonl", "\(Self.folder)/rejects/summary.json"]
      .map { try Files.read(program.directory.path($0)) }
  }

  /// With titles that must differ eleven notes without one are the same as the first; links that require a note go with it.
  @Test(arguments: [nil, ["title"]])
  func `after a kill behind any step each object is left out once`(unique: [String]?) throws {
    try plan(notes: 120, without: 10, unique: unique, isRequired: true)
    let words = ["run", "-q", "--resume-if-started", "--on-error", "quarantine"]
    let batches = ["BULKMIGRATE_BATCH_ROWS": "100"]
    let files = try program.killBehindEachStep(of: words, batches, endingWith: 3) {
      defer { program.remove("Big.sqlite", Self.folder) }
      return try made() + [Files.read(program.directory.path("\(Self.folder)/rejects/Link.jsonl"))]
    }
    for lines in [files[1], files[3]] {
      #expect(lines.split(separator: UInt8(ascii: "\n")).count == 12)
    }
  }

  private func steps() throws -> Int { try command(Self.run, dyingAt: "count").steps(3) }

  @Test func `is asked of a resumed run without its lock, and with another one`() throws {
    let steps = try steps()
    let expected = try made()
    let lock = program.directory.path("\(Self.folder)/lock")
    for step in RandomSeeds.some(of: Array(stride(from: 3, through: steps, by: 3)), every: 3) {
      try kill(after: step)
      guard let bytes = try? Files.read(lock) else { continue }
      if step.isMultiple(of: 6) {
        try FileManager.default.removeItem(atPath: lock)
      } else {
        let text = String(decoding: bytes, as: UTF8.self)
          .replacing("quarantine", with: "stop").replacing("\"_0\":3", with: "\"_0\":9")
        try Files.write(Array(text.utf8), to: lock)
      }
      let rest = try resume()
      // The first checkpoint may not be there yet, and a migration that is done has nothing to resume.
      guard ![66, 73].contains(rest.status) else { continue }
      #expect(rest.status == 3, "step \(step): \(rest.errors)")
      #expect(try made() == expected, "step \(step)")
    }
  }

  @Test func `is not given up for another policy once it has validated objects`() throws {
    let steps = try steps()
    let expected = try made()
    var codes: Set<Int32> = []
    for step in RandomSeeds.some(of: Array(stride(from: 3, through: steps, by: 2)), every: 3) {
      try kill(after: step)
      let other = try resume("--on-error", "stop")
      codes.insert(other.status)
      switch other.status {
      case 64:
        #expect(other.errors.contains("has validated its objects by quarantine"))
        #expect(try resume().status == 3, "step \(step)")
        #expect(try made() == expected, "step \(step)")
      case 3: #expect(try made() == expected, "step \(step)")
      case 65:
        #expect(other.errors.contains("3 values break rules"), "\(other.errors)")
        #expect(throws: (any Error).self) { try made() }
      default: #expect([66, 73].contains(other.status), "step \(step): \(other.errors)")
      }
    }
    #expect(codes.isSuperset(of: [3, 64, 65]), "\(codes)")
  }

  @Test func `is made stricter for all attempts that follow`() throws {
    let steps = try steps()
    for step in [steps / 2, steps * 3 / 4] {
      try kill(after: step)
      let refused = try resume("--max-rejects", "2").ending(1, "step \(step)")
      #expect(refused.errors.contains("3 of 288 objects would be left out"), "\(refused.errors)")
      #expect(try resume().status == 1, "step \(step)")
      #expect(try resume("--max-rejects", "3").status == 3, "step \(step)")
    }
  }
}
