/// Where files lie that nobody keeps.
package enum TemporaryFiles {
  /// The folder that the environment names, as SQLite looks for it, or the system's for large files.
  package static var folder: String {
    let environment = ProcessInfo.processInfo.environment
    let named = ["SQLITE_TMPDIR", "TMPDIR"].lazy.compactMap { environment[$0] }.first {
      !$0.isEmpty
    }
    if let named { return named }
    return FileManager.default.isWritableFile(atPath: "/var/tmp") ? "/var/tmp" : "/tmp"
  }
}
