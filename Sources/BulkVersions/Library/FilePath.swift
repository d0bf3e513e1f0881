internal import Foundation

/// Paths in the form that plans and mapping files use.
package enum FilePath {
  /// A path from the root, without `.` and `..`.
  package static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }

  /// The path of a file from a folder; both may be relative to the current folder.
  package static func relative(from folder: String, to path: String) -> String {
    let from = URL(fileURLWithPath: folder).standardizedFileURL.pathComponents
    let to = URL(fileURLWithPath: path).standardizedFileURL.pathComponents
    let common = zip(from, to).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: from.count - common)
    return (up + to.dropFirst(common)).joined(separator: "/")
  }
}
