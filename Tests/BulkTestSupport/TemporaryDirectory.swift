public import Foundation

/// A folder of one test's own, which is removed with everything in it when the test lets go of it.
///
/// Swift Testing makes a new instance of a suite for every test and every argument, so a stored
/// property of the suite gives each its own folder. Before it is removed, the stores that a migration made in it
/// are checked, see ``MadeStores``.
public final class TemporaryDirectory: Sendable {
  /// Where the folder lies.
  public let url: URL

  /// Makes a new, empty folder; without one no test can go on.
  public init() {
    url = Self.parent.appendingPathComponent("bulkmigrate-test-\(UUID().uuidString)")
    let made: Void? = try? FileManager.default.createDirectory(
      at: url,
      withIntermediateDirectories: true
    )
    precondition(made != nil, "\(url.path) cannot be made")
  }

  /// Where the folders of tests lie: in memory where there is plenty, unless the environment names a place.
  ///
  /// No test cuts the power, and a disk would take four fifths of the time for what is synced.
  private static let parent: URL = {
    let memory = "/dev/shm"
    let isFree = ProcessInfo.processInfo.environment["TMPDIR"] == nil
    let file = try? FileManager.default.attributesOfFileSystem(forPath: memory)
    let free = (file?[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
    guard isFree, free >= 4 << 30, FileManager.default.isWritableFile(atPath: memory) else {
      return FileManager.default.temporaryDirectory
    }
    return URL(fileURLWithPath: memory)
  }()

  deinit {
    MadeStores.check(in: url.path)
    try? FileManager.default.removeItem(at: url)
  }

  /// The path of a file or folder in it, whether or not there is one.
  public func path(_ name: String) -> String { url.path + "/" + name }

  /// The path of a new folder in it.
  public func folder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    return path(name)
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

  /// Copies a folder with all that is in it, but neither owners nor modes: only root could give files to some groups.
  public static func copyContents(of folder: String, to destination: String) throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: destination, withIntermediateDirectories: true)
    for name in try manager.contentsOfDirectory(atPath: folder) {
      var isFolder: ObjCBool = false
      _ = manager.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
      if isFolder.boolValue {
        try copyContents(of: "\(folder)/\(name)", to: "\(destination)/\(name)")
      } else {
        try write(read("\(folder)/\(name)"), to: "\(destination)/\(name)")
      }
    }
  }
}
