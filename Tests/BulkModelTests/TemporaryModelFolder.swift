import Foundation

/// A folder of a test's own, gone when the test is done.
final class TemporaryModelFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file with the folders above it, and gives its path.
  @discardableResult
  func write(_ bytes: [UInt8], to path: String) throws -> String {
    let file = url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(bytes).write(to: file)
    return file.path
  }

  @discardableResult
  func write(_ text: String, to path: String) throws -> String {
    try write(Array(text.utf8), to: path)
  }

  func path(_ path: String) -> String { url.path + "/" + path }
}
