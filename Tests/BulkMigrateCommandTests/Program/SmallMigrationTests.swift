import BulkTestSupport
import Testing

/// A migration of three notes, which is done before a checkpoint is read.
@Suite("Small migrations that are interrupted", .tags(.promise5, .promise15, .promise16), .program)
struct SmallMigrationTests {
  private let program: Program
  private static let again = ["run", "-q", "--resume-if-started"]
  private var state: String { program.directory.path("New.sqlite.bulkmigrate") }

  init() throws {
    program = try Program()
    try program.write("value", to: ".Notes_SUPPORT/_EXTERNAL_DATA/0B61C1D5")
    try #require(try program(Program.plan).status == 0)
  }

  private func clear() { program.remove("New.sqlite", ".New_SUPPORT", "New.sqlite.bulkmigrate") }

  /// What a whole migration leaves, with its receipt.
  private func made() throws -> [String: Data] {
    let names = [".New_SUPPORT/_EXTERNAL_DATA/0B61C1D5", "New.sqlite"]
    let state = ["New.sqlite.bulkmigrate/.bulkmigrate", "New.sqlite.bulkmigrate/finished"]
    let found = try program.directory.bytes().filter {
      $0.key.contains("New") && !$0.key.hasSuffix("plan.json")
    }
    #expect(found.keys.sorted() == (names + state).sorted())
    return found.filter { names.contains($0.key) }
  }

  @Test func `after a kill behind any durable step the same command ends well and tidies up`()
    throws
  {
    try program.killBehindEachStep(of: Self.again) {
      defer { clear() }
      let files = try made()
      #expect(try program(Self.again).status == 0)
      return files
    }
  }

  @Test(arguments: ["published:0", "durable:0"])
  func `a store that got its name before a kill is not started over`(step: String) throws {
    #expect(try program.isKilled(at: step, "run", "-q"))
    let refused = try program("run", "-q", ending: 73)
    #expect(
      refused.errors.contains(
        "continue with bulkmigrate resume, or start over with bulkmigrate run"
      )
    )
    try program("resume", "-q", ending: 0)
    #expect(!FileManager.default.fileExists(atPath: state))
  }

  // MARK: Power cuts

  /// What a power cut leaves of the mark, which is not synced by itself.
  @Test(arguments: [nil, "", "\0\0\0"] as [String?], ["synchronized:0", "durable:0", "receipt:0"])
  func `a folder that has lost its mark is known by what else is in it`(
    mark: String?,
    step: String
  ) throws {
    try #require(try program(Self.again).status == 0)
    let whole = try made()
    clear()
    #expect(try program.isKilled(at: step, "run", "-q", "--resume-if-started"))
    try lose(mark)
    try program(Self.again, ending: 0)
    #expect(try made() == whole)
    #expect(try text(of: ".bulkmigrate").hasPrefix(#"{"bulkmigrate":"state/1","identity":""#))
  }

  @Test func `a copy of the plan shows whose the folder is when nothing else is there`() throws {
    #expect(try program.isKilled(at: "durable:0", "run", "-q", "--resume-if-started"))
    for name in try program.names(in: "New.sqlite.bulkmigrate") where name != "plan.json" {
      program.remove("New.sqlite.bulkmigrate/\(name)")
    }
    program.remove("New.sqlite", ".New_SUPPORT")
    let letter = "New.sqlite.bulkmigrate/letter.txt"
    try program.write("mine", to: letter)
    let before = try program.directory.bytes()
    let refused = try program(Self.again, ending: 73)
    #expect(refused.errors.contains("is not a state directory of a migration"), "\(refused.errors)")
    #expect(try program.directory.bytes() == before)
    program.remove(letter)
    try program(Self.again, ending: 0)
    _ = try made()
  }

  private func text(of name: String) throws -> String {
    try program.text(of: "New.sqlite.bulkmigrate/\(name)")
  }

  private func lose(_ mark: String?) throws {
    program.remove("New.sqlite.bulkmigrate/.bulkmigrate")
    if let mark { try program.write(mark, to: "New.sqlite.bulkmigrate/.bulkmigrate") }
  }

  @Test func `the receipt and the copy of the plan are one file, of which each is read`() throws {
    try #require(try program(Self.again).status == 0)
    let receipt = try text(of: "finished")
    #expect(try text(of: "plan.json") == receipt)
    // The plan that is carried out, between its braces, with three more members.
    let plan = try program.text(of: "bulkmigrate.plan.json")
    #expect(receipt.hasSuffix(plan.dropFirst()))
    #expect(receipt.split(separator: "\n").count - plan.split(separator: "\n").count == 3)
    #expect(
      try program("plan", "\(state)/plan.json").output
        == program("plan", "bulkmigrate.plan.json").output
    )
    #expect(try program("status").output.contains("done"))
  }

  // MARK: Names that cannot be had

  @Test func `a file that takes the name in between costs nothing but a resume`() throws {
    let run = try program.start(["run", "-q"], standingAt: "synchronized:0")
    try program.write("theirs", to: "New.sqlite")
    #expect(run.goOn() == 73)
    #expect(run.errors.contains("published: New.sqlite already exists"))
    #expect(run.errors.hasSuffix("bulkmigrate resume publishes it\n"), "\(run.errors)")
    for words in [["resume", "-q"], ["run", "-q", "--restart"], Self.again] {
      #expect(try program(words).status == 73)
      #expect(try program.directory.bytes()["New.sqlite"] == Data("theirs".utf8))
    }
    program.remove("New.sqlite")
    let resumed = try program("resume", "-q", ending: 0)
    #expect(resumed.output.hasSuffix(", published; an interrupted run had made it\n"))
    #expect(try program.migrated.rows("SELECT count(*) FROM ZNOTE") == [[3]])
  }

  /// The text of an external value, or none for a file that is removed.
  @Test(arguments: ["other", nil] as [String?])
  func `a copied value that changed before the store is published costs time, not the value`(
    text: String?
  ) throws {
    let run = try program.start(["run", "-q"], standingAt: "synchronized:0")
    try program.write("theirs", to: "New.sqlite")
    #expect(run.goOn() == 73)
    program.remove("New.sqlite")
    let folder = try #require(
      try program.names(in: "New.sqlite.bulkmigrate").first { $0.hasPrefix("external-") }
    )
    let value = "New.sqlite.bulkmigrate/\(folder)/_EXTERNAL_DATA/0B61C1D5"
    if let text { try program.write(text, to: value) } else { program.remove(value) }
    try program("resume", "-q", ending: 0)
    #expect(
      try program.directory.bytes()[".New_SUPPORT/_EXTERNAL_DATA/0B61C1D5"] == Data("value".utf8)
    )
    #expect(try program.migrated.rows("SELECT count(*) FROM ZNOTE") == [[3]])
  }

  @Test func `a folder that is gone in between costs nothing but a resume`() throws {
    _ = try program.directory.folder("out")
    let plan = Program.plan.map { $0 == "New.sqlite" ? "out/New.sqlite" : $0 }
    #expect(try program(plan).status == 0)
    let words = ["run", "-q", "--state-dir", "S"]
    let run = try program.start(words, standingAt: "synchronized:0")
    program.remove("out")
    #expect(run.goOn() == 73)
    #expect(run.errors.contains("bulkmigrate resume --state-dir S publishes it\n"), "\(run.errors)")
    _ = try program.directory.folder("out")
    try program("resume", "-q", "--state-dir", "S", ending: 0)
    #expect(try program.names(in: "out") == [".New_SUPPORT", "New.sqlite"])
  }

  // MARK: Several at once

  @Test func `three attempts at once end with 0 or 8, and one is made`() throws {
    for _ in 1...12 {
      clear()
      let attempts = try (1...3).map { _ in try program.start(Self.again) }
      let codes = attempts.map { $0.end() }
      #expect(codes.contains(0))
      #expect(codes.allSatisfy { $0 == 0 || $0 == 8 }, "\(codes): \(attempts.map(\.errors))")
      _ = try made()
    }
  }

  @Test
  func `one that meets another that is marking the folder goes on, and the other finds it done`()
    throws
  {
    let first = try program.start(Self.again, standingAt: "unmarked:0")
    try program(Self.again, ending: 0)
    #expect(first.goOn() == 0, "\(first.errors)")
    _ = try made()
  }

  @Test func `one that has waited finds that the work is done`() throws {
    let first = try program.start(Self.again, standingAt: "counted:0")
    let second = try program.start(
      ["run", "-q", "--json", "--resume-if-started"],
      environment: ["BULKMIGRATE_LOCK_WAIT": "5m"]
    )
    // It waits as soon as it has its own name for the folder that is held.
    #expect(first.goOn() == 0)
    #expect(second.end() == 0, "\(second.errors)")
    #expect(second.output.contains("\"outcome\":\"already\""), "\(second.output)")
    #expect(second.output.contains("\"rowsOfAttempt\":0"))
  }
}
