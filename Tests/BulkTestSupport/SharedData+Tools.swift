internal import Foundation

extension SharedData {
  /// Compares two stores by meaning, with the tool beside the data: `same`, or the differences.
  ///
  /// Names of indexes and orders of columns that older migrations left behind are none.
  public static func difference(expected: String, actual: String) throws -> String {
    let tool = directory.deletingLastPathComponent().appendingPathComponent("tools/store-diff").path
    let run = try ProcessRun("/usr/bin/env", ["python3", tool, expected, actual], in: "/")
    return (run.output + run.errors).split(separator: "\n").filter { !$0.hasPrefix("note: ") }
      .joined(separator: "\n")
  }

  /// The rows of a table in a file, each by its columns' names; none where the file is not there.
  static func table(_ relativePath: String) -> [[String: String]] {
    guard let text = try? String(contentsOfFile: path(relativePath), encoding: .utf8) else {
      return []
    }
    let lines = text.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let names = lines.first else { return [] }
    return lines.dropFirst().map { values in
      Dictionary(zip(names, values), uniquingKeysWith: { first, _ in first })
    }
  }

  /// Copies a store with its log, and with write permission, to a file of one's own.
  public static func copy(_ relativePath: String, to destination: String) throws {
    for suffix in ["", "-wal"]
    where FileManager.default.fileExists(atPath: path(relativePath) + suffix) {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path(relativePath) + suffix))
      try bytes.write(to: URL(fileURLWithPath: destination + suffix))
    }
  }
}
