public import Foundation

extension TemporaryDirectory {
  /// Where the folder lies.
  public var path: String { url.path }

  /// The paths, relative to the folder, of all that is in it, sorted.
  public func contents() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
  }

  /// Every file in it and in its folders with its bytes, by relative path.
  public func bytes() throws -> [String: Data] {
    var result: [String: Data] = [:]
    for name in try contents() {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path(name), isDirectory: &isFolder),
        !isFolder.boolValue
      else { continue }
      result[name] = try Data(contentsOf: URL(fileURLWithPath: path(name)))
    }
    return result
  }
}
