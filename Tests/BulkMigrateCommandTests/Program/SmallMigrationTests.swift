#if os(Linux)
import BulkTestSupport
import Foundation
import Testing

/// A migration of three notes, which is done before a checkpoint is read.
@Suite(
  "Small migrations that are interrupted",
  .tags(.promise5, .promise15, .promise16),
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct SmallMigrationTests {
  private let program: Program
  private static let again = ["run", "-q", "--resume-if-started"]
  private var state: String { program.directory.path("New.sqlite.bulkmigrate") }

  init() throws {
    program = try Program()
    try program.write("value", to: ".Notes_SUPPORT/_EXTERNAL_DATA/0B61C1D5")
    try #require(try program(Program.plan).status == 0)
  }

  private func clear() {
    for name in ["New.sqlite", ".New_SUPPORT", "New.sqlite.bulkmigrate"] {
      try? FileManager.default.removeItem(atPath: program.directory.path(name))
    }
  }

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
    let counted = try program(Self.again, environment: ["BULKMIGRATE_FAILPOINT": "count"])
    let steps = try #require(
      counted.errors.split(separator: " ").last.flatMap { Int($0.dropLast()) }
    )
    #expect(steps >= 20)
    let whole = try made()
    for step in 1...steps {
      clear()
      let killed = try program(Self.again, environment: ["BULKMIGRATE_FAILPOINT": "step:\(step)"])
      #expect(killed.status == -9)
      let run = try program(Self.again)
      #expect(run.status == 0, "step \(step): \(run.errors)")
      #expect(try made() == whole, "step \(step)")
      #expect(try program(Self.again).status == 0)
    }
  }

  @Test(arguments: ["published:0", "durable:0"])
  func `a store that got its name before a kill is not begun anew`(place: String) throws {
    #expect(try program(["run", "-q"], environment: ["BULKMIGRATE_FAILPOINT": place]).status == -9)
    let refused = try program("run", "-q")
    #expect(refused.status == 73)
    #expect(
      refused.errors.contains(
        "continue with bulkmigrate resume, or start over with bulkmigrate run"
      )
    )
    let resumed = try program("resume", "-q")
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(!FileManager.default.fileExists(atPath: state))
  }

  // MARK: Power cuts

  /// What a power cut leaves of the mark, which is not synced by itself.
  @Test(arguments: [nil, "", "\0\0\0"] as [String?], ["synchronized:0", "durable:0", "receipt:0"])
  func `a folder that has lost its mark is known by what else is in it`(
    mark: String?,
    place: String
  ) throws {
    try #require(try program(Self.again).status == 0)
    let whole = try made()
    clear()
    let killed = try program(Self.again, environment: ["BULKMIGRATE_FAILPOINT": place])
    #expect(killed.status == -9)
    try lose(mark)
    let run = try program(Self.again)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try made() == whole)
    #expect(try text(of: ".bulkmigrate").hasPrefix(#"{"bulkmigrate":"state/1","identity":""#))
  }

  @Test func `a copy of the plan shows whose the folder is when nothing else is there`() throws {
    let place = ["BULKMIGRATE_FAILPOINT": "durable:0"]
    #expect(try program(Self.again, environment: place).status == -9)
    try lose(nil)
    for name in try program.names(in: "New.sqlite.bulkmigrate") where name != "plan.json" {
      try FileManager.default.removeItem(atPath: "\(state)/\(name)")
    }
    for name in ["New.sqlite", ".New_SUPPORT"] {
      try FileManager.default.removeItem(atPath: program.directory.path(name))
    }
    let letter = "New.sqlite.bulkmigrate/letter.txt"
    try program.write("mine", to: letter)
    let before = try program.directory.bytes()
    let refused = try program(Self.again)
    #expect(refused.status == 73)
    #expect(refused.errors.contains("is not a state directory of a migration"), "\(refused.errors)")
    #expect(try program.directory.bytes() == before)
    try FileManager.default.removeItem(atPath: program.directory.path(letter))
    let run = try program(Self.again)
    #expect(run.status == 0, "\(run.errors)")
    _ = try made()
  }

  private func text(of name: String) throws -> String {
    try String(contentsOfFile: "\(state)/\(name)", encoding: .utf8)
  }

  private func lose(_ mark: String?) throws {
    let path = "\(state)/.bulkmigrate"
    try FileManager.default.removeItem(atPath: path)
    if let mark { try Data(mark.utf8).write(to: URL(fileURLWithPath: path)) }
  }

  @Test func `the receipt and the copy of the plan are one file, of which each is read`() throws {
    try #require(try program(Self.again).status == 0)
    let receipt = try text(of: "finished")
    #expect(try text(of: "plan.json") == receipt)
    // The plan that is carried out, between its braces, with three more members.
    let plan = try String(
      contentsOfFile: program.directory.path("bulkmigrate.plan.json"),
      encoding: .utf8
    )
    #expect(receipt.hasSuffix(plan.dropFirst()))
    #expect(receipt.split(separator: "\n").count - plan.split(separator: "\n").count == 3)
    #expect(try program("show", "\(state)/plan.json").output == program("show").output)
    #expect(try program("status").output.contains("done"))
  }

  // MARK: Names that cannot be had

  @Test func `a file that takes the name meanwhile costs nothing but a resume`() throws {
    let run = try program.start(["run", "-q"], standingAt: "synchronized:0")
    try program.write("theirs", to: "New.sqlite")
    #expect(run.goOn() == 73)
    let path = program.directory.path("New.sqlite")
    let message =
      "bulkmigrate: the destination is whole, but \(path) already exists and is not overwritten; it is "
      + "kept in \(state); when nothing is in the way any more, bulkmigrate resume publishes it\n"
    #expect(run.errors == message)
    for words in [["resume", "-q"], ["run", "-q", "--restart"], Self.again] {
      #expect(try program(words).status == 73)
      #expect(try program.directory.bytes()["New.sqlite"] == Data("theirs".utf8))
    }
    try FileManager.default.removeItem(atPath: path)
    let resumed = try program("resume", "-q")
    #expect(resumed.status == 0, "\(resumed.errors)")
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
    try FileManager.default.removeItem(atPath: program.directory.path("New.sqlite"))
    let names = try FileManager.default.contentsOfDirectory(atPath: state)
    let folder = try #require(names.first { $0.hasPrefix("external-") })
    let value = "\(state)/\(folder)/_EXTERNAL_DATA/0B61C1D5"
    if let text {
      try Data(text.utf8).write(to: URL(fileURLWithPath: value))
    } else {
      try FileManager.default.removeItem(atPath: value)
    }
    let resumed = try program("resume", "-q")
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(
      try program.directory.bytes()[".New_SUPPORT/_EXTERNAL_DATA/0B61C1D5"] == Data("value".utf8)
    )
    #expect(try program.migrated.rows("SELECT count(*) FROM ZNOTE") == [[3]])
  }

  @Test func `a folder that is gone meanwhile costs nothing but a resume`() throws {
    _ = try program.directory.folder("out")
    let plan = Program.plan.map { $0 == "New.sqlite" ? "out/New.sqlite" : $0 }
    #expect(try program(plan).status == 0)
    let words = ["run", "-q", "--state-dir", "S"]
    let run = try program.start(words, standingAt: "synchronized:0")
    try FileManager.default.removeItem(atPath: program.directory.path("out"))
    #expect(run.goOn() == 73)
    #expect(run.errors.contains("bulkmigrate resume --state-dir S publishes it\n"), "\(run.errors)")
    _ = try program.directory.folder("out")
    let resumed = try program("resume", "-q", "--state-dir", "S")
    #expect(resumed.status == 0, "\(resumed.errors)")
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
    let second = try program(Self.again)
    #expect(second.status == 0, "\(second.errors)")
    #expect(first.goOn() == 0, "\(first.errors)")
    _ = try made()
  }

  @Test func `one that has waited finds that the work is done`() throws {
    let first = try program.start(Self.again, standingAt: "counted:0")
    let second = try program.start(
      ["run", "-q", "--json", "--resume-if-started", "--lock-wait", "5m"]
    )
    // It waits as soon as it has its own name for the folder that is held.
    #expect(first.goOn() == 0)
    #expect(second.end() == 0, "\(second.errors)")
    #expect(second.output.contains("\"outcome\":\"already\""), "\(second.output)")
    #expect(second.output.contains("\"rowsOfAttempt\":0"))
  }
}
#endif
