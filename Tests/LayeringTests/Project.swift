import Foundation

/// The files of this project.
enum Project {
  /// The project's folder.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let texts = Result { try files(under: "Sources", endingWith: ".swift") }
  private static let codes = Result { try texts.get().mapValues(code) }

  /// The text of a file.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The texts of the files under a folder, by their paths in it.
  static func files(under folder: String, endingWith end: String) throws -> [String: String] {
    let paths = try FileManager.default.subpathsOfDirectory(
      atPath: root.appendingPathComponent(folder).path
    )
    let wanted = paths.filter { $0.hasSuffix(end) && !$0.contains(".build/") }
    return Dictionary(uniqueKeysWithValues: try wanted.map { ($0, try text("\(folder)/\($0)")) })
  }

  /// The texts of all Swift files by their path under `Sources`.
  static func sources() throws -> [String: String] { try texts.get() }

  /// The same without comments, and without the texts of strings but for what is computed in them.
  static func code() throws -> [String: String] { try codes.get() }

  /// The paths of the files with some code, in order.
  static func files(with code: String) throws -> [String] {
    try self.code().filter { $1.contains(code) }.keys.sorted()
  }

  static func code(of source: String) -> String {
    let bytes = Array(source.utf8) + [0, 0]
    var (code, index, isString): ([UInt8], Int, Bool) = ([], 0, false)
    /// The open parentheses in what strings compute, the innermost last.
    var open: [Int] = []
    func skip(through end: String) {
      while index < bytes.count - 2, !bytes[index...].starts(with: end.utf8) { index += 1 }
      index += end.utf8.count
    }
    while index < bytes.count - 2 {
      let byte = bytes[index]
      index += 1
      switch (byte, isString) {
      case (UInt8(ascii: "\\"), true):
        index += 1
        if bytes[index - 1] != UInt8(ascii: "(") { continue }
        isString = false
        open.append(0)
        code.append(UInt8(ascii: " "))
      case (UInt8(ascii: "\""), true), (UInt8(ascii: "\n"), true): isString = false
      case (_, true): break
      case (UInt8(ascii: "/"), _) where bytes[index] == byte:
        while bytes[index] != UInt8(ascii: "\n"), bytes[index] != 0 { index += 1 }
      case (UInt8(ascii: "\""), _):
        isString = bytes[index] != byte || bytes[index + 1] != byte
        if !isString { skip(through: "\"\"\"") }
      case (UInt8(ascii: "#"), _) where bytes[index] == UInt8(ascii: "\""): skip(through: "\"#")
      case (UInt8(ascii: ")"), _) where open.last == 0:
        open.removeLast()
        isString = true
      default:
        if !open.isEmpty, byte == UInt8(ascii: "(") { open[open.count - 1] += 1 }
        if !open.isEmpty, byte == UInt8(ascii: ")") { open[open.count - 1] -= 1 }
        code.append(byte)
      }
    }
    return String(decoding: code, as: UTF8.self)
  }
}
