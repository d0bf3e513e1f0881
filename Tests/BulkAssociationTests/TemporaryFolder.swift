import Foundation

/// A folder of one test, removed when it goes out of scope.
struct TemporaryFolder: ~Copyable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("association-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    // What cannot be removed is left to the system, which empties its folder for such things.
    do { try FileManager.default.removeItem(atPath: path) } catch {
      print("left \(path): \(error)")
    }
  }
}
