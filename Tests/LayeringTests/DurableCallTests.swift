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
    "BulkAssociation/SegmentFile.swift": "a step follows in Run.record",
    "BulkExecute/Rejects/Violations/ReportFile.swift": "a step follows in Run.record",
    "BulkExecute/Rejects/Violations/ViolationReport.swift": "its file is a ReportFile",
    "BulkFleet/Results/ResultLog.swift": "lines that say again what receipts say",
    "BulkSQLite/Pages/CommitJournal.swift": "steps of a commit, the last one is its own",
    "BulkSQLite/Recording/PageLog.swift": "the commit follows, which is a step",
  ]

  private static var call: Regex<(Substring, Substring?)> {
    #/\b(fsync|fdatasync|rename|renameat|link|linkat|symlink|mkdir|mkdirat)\(|\bfile\?\.synchronize\(\)/#
  }

  @Test func `they stand only where a failpoint follows`() throws {
    for (path, code) in try Project.code() where Self.places[path] == nil {
      for line in code.split(separator: "\n")
      where !line.contains("func ") && line.contains(Self.call) && !line.contains(".link(")
        && !line.contains("= link(of:")
      {
        Issue.record("Sources/\(path): \(line.trimmingCharacters(in: .whitespaces))")
      }
    }
  }
}
