import Foundation
import Testing

/// The process belongs to its program: the targets that an app imports do not change its settings.
struct HostCallTests {
  @Test(arguments: [
    "setenv(", "putenv(", "signal(SIG", "sigaction(", "sigmask(", "umask(", "chdir(", "setrlimit(",
    "setlocale(", "mallopt(", "atexit", "sqlite3_config(", "sqlite3_shutdown(",
    "sqlite3_auto_extension(", "SQLiteLibrary", "ProcessSignal",
  ])
  func `settings are changed by the program only`(call: String) throws {
    let exceptions: Set = [
      // What the program calls.
      "BulkSupport/Platform/ProcessSignal.swift", "BulkSQLite/SQLiteLibrary.swift",
      // In debug builds, if the environment requests it.
      "BulkExecute/Files/Failpoint.swift",
    ]
    let found = try Project.files(with: call)
      .filter { !exceptions.contains($0) && !$0.hasPrefix("BulkMigrateCommand/") }
    #expect(found == [])
  }

  @Test(arguments: [
    "Date()", "Date.now", "UUID()", "ProcessInfo", "getenv(", "gethostname(", "ContinuousClock.now",
    "ContinuousClock()", "to: .now", "= .now", "CLOCK_REALTIME", "CLOCK_MONOTONIC",
    "SystemRandomNumberGenerator", ".random(in", "randomElement(", "shuffled(",
  ])
  func `time, identifiers and what the machine has come from the host`(code: String) throws {
    let found = try Project.files(with: code).filter {
      $0 != "BulkSupport/Platform/SystemHost.swift"
    }
    #expect(found == [])
  }

  @Test func `what changes for the whole process has a reason`() throws {
    for (path, text) in try Project.sources() {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      for (line, next) in zip(lines, lines.dropFirst()) where Self.isGlobalState(next) {
        #expect(line.hasPrefix("//"), "Sources/\(path): \(next)")
      }
    }
  }

  /// Whether a line declares a static variable or one that is changed under a lock.
  private static func isGlobalState(_ line: String) -> Bool {
    guard line.contains("static "), !line.contains("func ") else { return false }
    return line.contains("nonisolated(unsafe)") || line.contains("Mutex") || line.contains("Atomic")
      || (line.contains("static var ") && !line.contains("{"))
  }
}

/// A call that makes something durable, or gives it its name, belongs to a place that has a failpoint, so
/// that a test can kill the program behind it.
struct DurableCallTests {
  /// The files that may hold such calls, and why each may.
  private static let exceptions: [String: String] = [
    "BulkExecute/Files/DurableFiles.swift": "each ends in a step",
    "BulkExecute/Files/DurableDirectory.swift": "each ends in a step",
    "BulkExecute/State/StateLocation.swift": "a pointer, which only saves typing",
    "BulkExecute/State/StateDirectory.swift": "the name of a report, of a migration that has ended",
    "BulkExecute/Segments/AssociationWriter.swift": "a step follows in Run.record",
    "BulkExecute/Rejects/Violations/ViolationReport.swift": "a step follows in Run.record",
    "BulkFleet/Results/ResultLog.swift": "lines that say again what receipts say",
    "BulkSupport/Platform/OpenFile.swift": "the call that all others go through",
    "BulkSQLite/Pages/CommitJournal.swift": "steps of a commit, the last one is its own",
    "BulkSQLite/Recording/PageLog.swift": "the commit follows, which is a step",
  ]

  private static var call: Regex<(Substring, Substring?)> {
    #/\b(fsync|fdatasync|rename|renameat|link|linkat|symlink|mkdir|mkdirat)\(|\.sync\(\)/#
  }

  @Test func `they stand only where a failpoint follows`() throws {
    // An expression takes a hundred times as long.
    let names = [
      "sync(", "rename(", "renameat(", "link(", "linkat(", "mkdir(", "mkdirat(",
    ]
    for (path, code) in try Project.code()
    where Self.exceptions[path] == nil && names.contains(where: code.contains) {
      for line in code.split(separator: "\n")
      where !line.contains("func ") && line.contains(Self.call) && !line.contains(".link(")
        && !line.contains("= link(of:")
      {
        Issue.record("Sources/\(path): \(line.trimmingCharacters(in: .whitespaces))")
      }
    }
  }
}
