import Foundation
import Testing

/// The process belongs to its program: the targets that an app imports do not change its settings.
@Suite("Calls that concern the whole process")
struct HostCallTests {
  @Test(arguments: [
    "setenv(", "putenv(", "signal(SIG", "sigaction(", "sigmask(", "umask(", "chdir(", "setrlimit(",
    "setlocale(", "mallopt(", "atexit", "sqlite3_config(", "sqlite3_shutdown(",
    "sqlite3_auto_extension(", "SQLiteLibrary", "ProcessSignal",
  ])
  func `settings are changed by the program only`(call: String) throws {
    let places: Set = [
      // What the program calls.
      "BulkPlatform/ProcessSignal.swift", "BulkSQLite/SQLiteLibrary.swift",
      // In debug builds, if the environment requests it.
      "BulkExecute/Files/Failpoint.swift",
    ]
    let found = try Project.files(with: call)
      .filter { !places.contains($0) && !$0.hasPrefix("BulkMigrateCommand/") }
    #expect(found == [])
  }

  @Test(arguments: [
    "Date()", "Date.now", "UUID()", "ProcessInfo", "getenv(", "gethostname(", "ContinuousClock.now",
    "ContinuousClock()", "to: .now", "= .now", "CLOCK_REALTIME", "CLOCK_MONOTONIC",
    "SystemRandomNumberGenerator", ".random(in", "randomElement(", "shuffled(",
  ])
  func `time, identifiers and what the machine has come from the host`(code: String) throws {
    let found = try Project.files(with: code).filter { $0 != "BulkPlatform/SystemHost.swift" }
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
