internal import BulkSQLite
internal import Foundation
internal import Testing

/// The stores that migrations make in the folders of tests.
enum MadeStores {
  /// The names under which tests have them made; a test that breaks one gives it another name.
  private static let names = ["destination.sqlite", "new.sqlite"]

  /// Records an issue for each of them in which SQLite finds something wrong: a page, the order of
  /// keys, or an index without an entry of a row.
  static func check(in folder: String) {
    for name in names {
      if let fault = fault(of: folder + "/" + name) { Issue.record("\(name): \(fault)") }
    }
  }

  private static func fault(of path: String) -> String? {
    let file = FileHandle(forReadingAtPath: path)
    // Some tests put another file in the way of a store.
    guard let start = try? file?.read(upToCount: 16), start == Data("SQLite format 3\0".utf8) else {
      return nil
    }
    do {
      let connection = try Connection(path: path, access: .readWrite)
      // Rows are taken over even if they violate the constraints of their own table.
      try connection.execute("PRAGMA ignore_check_constraints = ON")
      let found = try connection.value("PRAGMA integrity_check(1)")
      return found == .text("ok") ? nil : found.map { "\($0)" }
    } catch {
      return error.result == .corrupt ? error.message : nil
    }
  }
}
