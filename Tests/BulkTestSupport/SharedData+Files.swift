public import Foundation

extension SharedData {
  /// The paths, relative to the folder, of all files that satisfy a condition, sorted.
  public static func files(where isIncluded: (URL) -> Bool) -> [String] {
    guard let all = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: nil)
    else { return [] }
    let prefix = directory.path + "/"
    return all.compactMap { $0 as? URL }.filter(isIncluded)
      .map { String($0.path.dropFirst(prefix.count)) }.sorted()
  }

  /// The stores, by the first bytes of the file.
  public static let stores = files { url in
    guard let file = FileHandle(forReadingAtPath: url.path) else { return false }
    defer { try? file.close() }
    return (try? file.read(upToCount: 15)) == Data("SQLite format 3".utf8)
  }
}
