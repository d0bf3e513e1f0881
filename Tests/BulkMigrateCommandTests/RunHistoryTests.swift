import BulkTestSupport
import Foundation
import Testing

@testable import BulkMigrateCommand

@Suite("The record of earlier runs")
struct RunHistoryTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var file: RunHistoryFile {
    RunHistoryFile(["XDG_STATE_HOME": directory.path], isKept: true)
  }

  private func run(_ rows: Int64, seconds: Double = 10) -> RunHistory.Run {
    RunHistory.Run(
      kind: "copy",
      estimatedSeconds: 5,
      seconds: seconds,
      rowSeconds: seconds - 0.5,
      rows: rows
    )
  }

  @Test func `runs are kept in order, the last 64 of them, for this user alone`() throws {
    for rows in 1...70 { #expect(file.add(run(Int64(rows)))) }
    let runs = file.read { Issue.record("\($0)") }.runs
    #expect(runs.map(\.rows) == (7...70).map { Int64($0) })
    #expect(runs.first == run(7))
    let folder = directory.path("bulkmigrate")
    let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["history.json"])
    let size = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/history.json")).count
    #expect(size < 10_000)
  }

  @Test(
    arguments: [
      "", "{", "[]", #"{"bulkmigrate":"history/2","runs":[]}"#,
      #"{"bulkmigrate":"history/1","runs":[{"kind":"copy","estimatedSeconds":0,"seconds":1,"rowSeconds":1,"rows":1}]}"#,
      #"{"bulkmigrate":"history/1","runs":[{"kind":"copy","estimatedSeconds":1,"seconds":1,"rowSeconds":2,"rows":1}]}"#,
      #"{"bulkmigrate":"history/1","runs":[{"kind":"copy","estimatedSeconds":1,"seconds":-1,"rowSeconds":-2,"rows":1}]}"#,
      String(repeating: " ", count: 70_000),
    ]
  )
  func `a damaged file is ignored with a warning, and written anew`(text: String) throws {
    #expect(file.add(run(1)))
    let path = directory.path("bulkmigrate/history.json")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    var warnings: [String] = []
    #expect(file.read { warnings.append($0) } == RunHistory())
    #expect(
      warnings == [
        "\(path), the record of earlier runs, is corrupt and ignored; the next run replaces it"
      ]
    )
    #expect(file.add(run(2)))
    #expect(file.read { Issue.record("\($0)") }.runs == [run(2)])
  }

  @Test func `nothing is kept of short runs, without a folder, or if it is not wanted`() throws {
    #expect(!file.add(run(1, seconds: 0.9)))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    #expect(RunHistoryFile([:], isKept: true).path == nil)
    #expect(RunHistoryFile(["HOME": "relative"], isKept: true).path == nil)
    #expect(RunHistoryFile(["XDG_STATE_HOME": directory.path], isKept: false).path == nil)
    let home = RunHistoryFile(["HOME": directory.path], isKept: true)
    #expect(home.path == directory.path(".local/state/bulkmigrate/history.json"))
    try Data().write(to: URL(fileURLWithPath: directory.path("bulkmigrate")))
    #expect(!file.add(run(1)))
  }
}
