import Foundation
import Testing

/// A call that makes something durable, or gives it its name, belongs to a place that has a failpoint, so
/// that a test can kill the program behind it.
@Suite("Durable calls")
struct DurableCallTests {
  /// The files that may hold such calls, and why each may.
  private static let places: [String: String] = [
    "BulkExecute/Files/DurableFiles.swift": "each ends in a step",
    "BulkExecute/Files/DurableDirectory.swift": "each ends in a step",
    "BulkExecute/State/StateLocation.swift": "a pointer, which only saves typing",
    "BulkExecute/State/StateDirectory.swift": "the name of a report, of a migration that has ended",
    "BulkAssociation/SegmentFile.swift": "a step follows in CheckpointRecorder",
    "BulkExecute/Rejects/Violations/ReportFile.swift": "a step follows in CheckpointRecorder",
    "BulkExecute/Rejects/Violations/ViolationReport.swift": "its file is a ReportFile",
    "BulkFleet/Results/ResultLog.swift": "lines that say again what receipts say",
    "BulkSQLite/Pages/CommitJournal.swift": "steps of a commit, the last one is its own",
    "BulkSQLite/Recording/PageLog.swift": "the commit follows, which is a step",
  ]

  private static var call: Regex<(Substring, Substring?)> {
    #/\b(fsync|fdatasync|rename|renameat|link|linkat|symlink|mkdir|mkdirat)\(|\bfile\?\.synchronize\(\)/#
  }

  @Test func `they stand only where a failpoint follows`() throws {
    for (path, text) in try Project.sources() where Self.places[path] == nil {
      for line in String(SwiftText(text).code).split(separator: "\n")
      where !line.contains("func ") && line.contains(Self.call) && !line.contains(".link(")
        && !line.contains("= link(of:")
      {
        Issue.record("Sources/\(path): \(line.trimmingCharacters(in: .whitespaces))")
      }
    }
  }

  @Test func `every function of DurableFiles that makes one ends in a step`() throws {
    let source = try #require(try Project.sources()["BulkExecute/Files/DurableFiles.swift"])
    let functions = String(SwiftText(source).code).split(separator: "static func ").dropFirst()
    let durable = functions.filter { $0.contains(Self.call) }
    // makeDirectory, synchronize, copy, write, publish and move.
    #expect(durable.count >= 6)
    for function in durable where !function.contains("Failpoint.step(.") {
      Issue.record("DurableFiles.\(function.prefix { $0 != "(" }) has no step")
    }
  }

  @Test func `the recorder has a step behind segments, report and commit`() throws {
    let sources = try Project.sources()
    let recorder = try #require(sources["BulkExecute/Running/CheckpointRecorder.swift"])
    #expect(recorder.split(separator: "Failpoint.step(.").count == 5)
    #expect(recorder.contains("transactions.didCommit = {\n      Failpoint.step(.committed)\n"))
  }
}
