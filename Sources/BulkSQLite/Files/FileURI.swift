/// Encodes a path as a URI for SQLite, so that no character of it has a special meaning.
enum FileURI {
  /// The URI of a path, without parameters.
  ///
  /// An absolute path follows an empty authority, so that none of its own slashes begins one. A
  /// relative path begins with a dot, so that it is neither empty nor `:memory:`, which are not files.
  static func text(for path: String) -> String {
    var result = path.utf8.first == UInt8(ascii: "/") ? "file://" : "file:./"
    for byte in path.utf8 {
      if isPlain(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16)
        result += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return result
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
