public import Foundation

/// A folder of one test's own, which is removed with everything in it when the test lets go of it.
///
/// Swift Testing makes a new instance of a suite for every test and every argument, so a stored
/// property of the suite gives each its own folder.
public final class TemporaryDirectory: Sendable {
  /// Where the folder lies.
  public let url: URL

  /// Makes a new, empty folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("bulkmigrate-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Where the folder lies.
  public var path: String { url.path }

  /// The path of a file or folder in it, whether or not there is one.
  public func path(_ name: String) -> String { url.path + "/" + name }

  /// The path of a new folder in it.
  public func folder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    return path(name)
  }

  /// The paths, relative to the folder, of all that is in it, sorted.
  public func contents() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
  }

  /// Every file in it with its bytes.
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

/// Whole files as bytes.
public enum Files {
  /// The bytes of a file.
  public static func read(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Makes or replaces a file.
  public static func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// The bytes of every file of a folder, by name.
  public static func contents(of folder: String) throws -> [String: [UInt8]] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let files = try names.map { ($0, try read(folder + "/" + $0)) }
    return Dictionary(uniqueKeysWithValues: files)
  }
}
