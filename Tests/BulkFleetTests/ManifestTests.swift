import BulkTestSupport
import Testing

@testable import BulkFleet

@Suite("Manifests that are read", .tags(.promise8))
struct ManifestTests {
  private let directory = TemporaryDirectory()

  private func table(
    _ lines: [String],
    root: String? = nil,
    isStaged: Bool = false,
    _ report: (FleetPlanningProgress) -> Void = { _ in }
  ) throws(FleetError) -> FleetTable {
    let path = directory.path("stores.jsonl")
    try? Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
    return try FleetTable(Manifest(path, root: root, isStaged: isStaged), report)
  }

  /// The faults of lines, by their numbers, with DIR for the folder.
  private func faults(_ lines: [String], root: String? = nil, isStaged: Bool = false) -> [String] {
    do throws(FleetError) {
      _ = try table(lines, root: root, isStaged: isStaged)
      return []
    } catch {
      return error.description.replacing(directory.path, with: "DIR").split(separator: "\n")
        .dropFirst().map(String.init)
    }
  }

  @Test(arguments: [
    (#"{"bulkmigrate": "fleet/3"}"#, true), (#"{"bulkmigrate":"fleet/1","bins":2}"#, true),
    (line("fleet/a", "fleet/s1", "fleet/new/a"), false),
  ])
  func `a manifest of stores in a folder named fleet is not the plan of a fleet`(
    text: String,
    isFleet: Bool
  ) throws {
    let path = directory.path("file")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    #expect(FleetPlan.isFleet(path) == isFleet)
  }

  private static func line(_ id: String, _ source: String, _ destination: String) -> String {
    #"{"id":"\#(id)","source":"\#(source)","destination":"\#(destination)"}"#
  }

  @Test func `all faults are listed with their lines`() {
    func sized(_ bytes: String) -> String {
      String(Self.line("s\(bytes)", "s1", "new/\(bytes)").dropLast()) + ",\"bytes\":\(bytes)}"
    }
    let found = faults(
      [
        Self.line("a", "s1", "new/a"), Self.line("a", "s2", "new/b"),
        Self.line("c", "s2", "new/../new/a"), #"{"id":"d","source":"s2"}"#,
        Self.line("e", "../outside", "new/e"), Self.line("f", "s1", "s1"),
        #"{"id":1,"source":"s1","destination":"new/h"}"#, #"{"id":"i","#, "[]", sized("-1"),
        sized("281474976710657"), sized("1e400"), sized("281474976710656"),
      ],
      root: directory.path
    )
    let outside = URL(fileURLWithPath: directory.path).deletingLastPathComponent().path
    #expect(
      found.map { $0.replacing(outside, with: "OUT") } == [
        "line 2: the id a is that of line 1 already",
        "line 3: the destination DIR/new/a is that of line 1 already",
        "line 4: destination is missing", "line 5: the source OUT/outside is outside of DIR",
        "line 6: source and destination are the same file, DIR/s1",
        "line 7: id is a number, not a text",
        "line 8: column 11: expected a name in quotation marks, found the end",
        "line 9: it is an array, not an object",
        "line 10: bytes is '-1', which is not the size of a store",
        "line 11: bytes is '281474976710657', which is not the size of a store",
        "line 12: bytes is '1e400', which is not the size of a store",
      ]
    )
    #expect(faults([" "]) == ["line 1: there is no store in it"])
  }

  @Test func `a name that leads out of the folder is refused`() throws {
    _ = try directory.folder("in")
    for (name, target) in [("in/s1", "../s1"), ("in/new", "../new")] {
      try FileManager.default.createSymbolicLink(
        atPath: directory.path(name),
        withDestinationPath: target
      )
    }
    for name in ["s1", "new"] { _ = try directory.folder(name) }
    #expect(
      faults([Self.line("a", "in/s1", "in/new/a")], root: directory.path("in")) == [
        "line 1: the source DIR/in/s1 leads to DIR/s1, which is outside of DIR/in",
        "line 1: the destination DIR/in/new/a leads to DIR/new/a, which is outside of DIR/in",
      ]
    )
    // Composed, and decomposed.
    let (root, other) = (directory.path("caf\u{E9}"), directory.path("cafe\u{301}"))
    let (inside, outside) = (Self.line("a", "\(root)/a", "\(root)/b"), "\(other)/b")
    #expect(faults([inside], root: root) == [])
    #expect(faults([Self.line("a", "\(root)/a", outside)], root: root).count == 1)
    #expect(faults([inside], root: root, isStaged: true) == [])
    let up = Self.line("a", "\(root)/../a", "\(root)/c/../../b")
    #expect(faults([up], root: root, isStaged: true).count == 2)
  }

  @Test func `no line makes what another one reads, nor a file beside it`() {
    #expect(
      faults([
        Self.line("a", "s1", "new/a"), Self.line("b", "s2", "s1"),
        Self.line("c", "s3", "s2-wal"), Self.line("d", "s4", "new/a.bulkmigrate"),
        Self.line("e", "s5", "s5-shm"), Self.line("f", "new/g-journal", "new/f"),
        Self.line("g", "s1", "new/g"), Self.line("h", "s6", "old.bulkmigrate/h"),
        Self.line("i", "s7", "old.bulkmigrate/i"),
        Self.line("j", "s8", "new/j-wal"), Self.line("k", "s9", "new/j"),
      ]) == [
        "line 2: the destination DIR/s1 is the source of line 1, or a file beside it",
        "line 2: the destination DIR/s1 is the source of line 7, or a file beside it",
        "line 3: the destination DIR/s2-wal is the source of line 2, or a file beside it",
        "line 4: the destination DIR/new/a.bulkmigrate is that of line 1 already",
        "line 5: the destination DIR/s5-shm is the source of line 5, or a file beside it",
        "line 7: the destination DIR/new/g is the source of line 6, or a file beside it",
        "line 11: the destination DIR/new/j is that of line 10 already",
      ]
    )
  }

  @Test func `no two stores have one folder for external values`() {
    #expect(
      faults([
        Self.line("a", "s1", "new/x.sqlite"), Self.line("b", "s2", "new/x.db"),
        Self.line("c", "s3", "x.sqlite"),
      ]) == ["line 2: the destination DIR/new/x.db has the folder for values of that of line 1"]
    )
  }

  @Test func `many stores below one state folder are not compared with each other`() throws {
    let path = directory.path("stores.jsonl")
    let lines = (0..<1_000).map { Self.line("\($0)", "s\($0)", "x.bulkmigrate/\($0)") + "\n" }
    try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: path))
    let manifest = Manifest(path, root: nil, isStaged: false)
    var questions = 0
    func stops(after count: Int) -> Bool {
      questions += 1
      return questions > count
    }
    _ = try FleetTable(manifest, isStopped: { stops(after: .max) }) { _ in }
    #expect(questions < 10)
    #expect(throws: FleetError.self) {
      try FleetTable(manifest, isStopped: { stops(after: 0) }) { _ in }
    }
  }

  @Test func `progress is told in lines, with a total that follows from the bytes`() throws {
    let lines = (100_000..<101_000).map { Self.line("\($0)", "s\($0)", "d\($0)") }
    var told: [FleetPlanningProgress] = []
    let table = try table(lines) { told.append($0) }
    #expect(table.count == 1_000)
    #expect(told.map(\.done) == [256, 512, 768])
    // The lines are of one length; the line that is reported has begun, and its bytes do not count yet.
    #expect(told.map(\.total) == [1_003, 1_001, 1_001])
  }
}
