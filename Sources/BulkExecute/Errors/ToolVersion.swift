internal import BulkStore

/// The version of this program.
package enum ToolVersion {
  package static let text = "0.1.0"

  /// The day of the version, for manual pages.
  package static let day = "2026-11-23"

  /// The version, the commit from which the program was built, and its libraries, line by line.
  package static var report: String {
    let commit = StoreSession.commit
    return [
      "bulkmigrate \(text)", "commit  \(commit.isEmpty ? "not known" : commit)",
      "SQLite  \(StoreSession.libraryVersion)", "zstd    \(CompressionLibrary.version)",
    ].joined(separator: "\n")
  }

  package static let withLibrary = "bulkmigrate \(text), SQLite \(StoreSession.libraryVersion)"
}
