internal import BulkPlatform

/// The lines of a file, read piece by piece.
public final class FileLines {
  private let descriptor: Int32
  private let path: String
  private var rest: [UInt8] = []
  private var isAtEnd = false

  /// - Throws: ``MigrationError/inputOutput(path:reason:)`` if the file cannot be opened.
  public init(_ path: String) throws(MigrationError) {
    guard let descriptor = FileReading.open(path) else {
      throw .inputOutput(path: path, reason: "it cannot be read")
    }
    (self.descriptor, self.path) = (descriptor, path)
  }

  deinit { close(descriptor) }

  /// The next line without its end; `nil` after the last.
  public func next() throws(MigrationError) -> String? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest.removeSubrange(...end) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      guard !isAtEnd else { return nil }
      guard let part = FileReading.bytes(of: descriptor, upTo: 1 << 16) else {
        throw .inputOutput(path: path, reason: "it cannot be read")
      }
      isAtEnd = part.isEmpty
      rest += part
    }
  }
}
