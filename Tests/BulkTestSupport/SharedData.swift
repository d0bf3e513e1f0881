public import Foundation

/// The real stores and models that may lie beside the project, in `../shared`.
///
/// Tests that need them are enabled only where they are present, and say so where they are not.
public enum SharedData {
  /// The folder `../shared/data`, whether or not it is there.
  public static let directory = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("../shared/data").standardizedFileURL

  /// Whether the folder is there.
  public static let isPresent = FileManager.default.fileExists(atPath: directory.path)

  /// The path of a file or folder under `../shared/data`.
  public static func path(_ relativePath: String) -> String {
    directory.appendingPathComponent(relativePath).path
  }
}
