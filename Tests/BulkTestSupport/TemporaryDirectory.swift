public import Foundation

/// A folder of one test's own, removed with all that is in it when nothing refers to it any more.
public final class TemporaryDirectory: Sendable {
  /// Where the folder lies.
  public let path: String

  /// Makes an empty folder.
  public init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("bulkmigrate-test-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file or folder in it.
  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The paths, relative to the folder, of all that is in it, sorted.
  public func contents() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
  }

  /// Every file in it with its bytes.
  public func bytes() throws -> [String: Data] {
    var result: [String: Data] = [:]
    for name in try contents() {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: self.path(name), isDirectory: &isFolder),
        !isFolder.boolValue
      else { continue }
      result[name] = try Data(contentsOf: URL(fileURLWithPath: self.path(name)))
    }
    return result
  }
}
