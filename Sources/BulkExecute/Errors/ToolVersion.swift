internal import BulkStore

/// The version of this program.
public enum ToolVersion {
  /// The version, as in the change log.
  public static let text = "0.1.0"

  /// This program and the SQLite that it uses.
  package static let withLibrary = "bulkmigrate \(text), SQLite \(StoreSession.libraryVersion)"
}
