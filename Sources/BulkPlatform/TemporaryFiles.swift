/// Where files lie that nobody keeps.
package enum TemporaryFiles {
  /// The folder that the environment names, as SQLite looks for it, or the system's for large files.
  ///
  /// In place of a folder that is yet to be made, as that of a run's state, it is the folder around it.
  package static var folder: String {
    let environment = ProcessInfo.processInfo.environment
    let named = ["SQLITE_TMPDIR", "TMPDIR"].compactMap { environment[$0] }.filter { !$0.isEmpty }
    let around = named.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    let folders = zip(named, around).flatMap { [$0, $1] } + ["/var/tmp"]
    return folders.first { FileManager.default.isWritableFile(atPath: $0) } ?? "/tmp"
  }
}
