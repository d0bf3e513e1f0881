public import Foundation

/// The corpus: real stores and models, which licenses keep out of the repository.
///
/// Tests that need it are enabled only where it is present, and say so where it is not. CONTRIBUTING.md names the page that lists it.
public enum SharedData {
  /// The folder that the variable `BULKMIGRATE_CORPUS` names, otherwise `../shared/data` beside the project, whether or not it exists.
  public static let directory: URL = {
    if let named = ProcessInfo.processInfo.environment["BULKMIGRATE_CORPUS"], !named.isEmpty {
      return URL(fileURLWithPath: named).standardizedFileURL
    }
    return URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("../shared/data").standardizedFileURL
  }()

  /// Whether the folder exists.
  public static let isPresent = FileManager.default.fileExists(atPath: directory.path)

  /// The path of a file or folder in the corpus.
  public static func path(_ relativePath: String) -> String {
    directory.appendingPathComponent(relativePath).path
  }
}
