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
}

extension Project {
  /// The paths of the files with some code, in order; comments and texts do not count.
  static func files(with code: String) throws -> [String] {
    try sources().filter { $1.contains(code) && SwiftText($1).code.contains(code) }.keys.sorted()
  }
}
