/// A record of a ``PageLog``: 16 bytes, little-endian.
///
/// | offset | width | of a page              | of the end of a group        | of a truncation     |
/// |-------:|------:|------------------------|------------------------------|---------------------|
/// |      0 |     4 | its number, from 1     | the transaction's number     | the remaining pages |
/// |      4 |     4 | 0                      | 1                            | 2                   |
/// |      8 |     8 | its digest             | the digest of all before it  | 0                   |
struct PageRecord: Equatable {
  static let size = 16

  /// The kind of a record.
  enum Kind: UInt32 {
    /// A page was written.
    case page = 0
    /// Everything before this is on disk.
    case end = 1
    /// The file was truncated.
    case cut = 2
  }

  var kind: Kind
  /// The page, the transaction that a group belongs to, or the remaining pages.
  var number: UInt32
  var value: UInt64

  func append(to bytes: inout [UInt8]) {
    withUnsafeBytes(of: (number.littleEndian, kind.rawValue.littleEndian)) {
      bytes.append(contentsOf: $0)
    }
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  init(_ kind: Kind, _ number: UInt32, _ value: UInt64) {
    (self.kind, self.number, self.value) = (kind, number, value)
  }

  /// A record of a log; `nil` if the bytes are not a record.
  init?(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    let kind = UInt32(
      littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
    )
    guard let kind = Kind(rawValue: kind) else { return nil }
    self.kind = kind
    number = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    value = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
  }
}

extension PageRecord {
  /// The fields of the first page that change without a transaction: the read and write versions, the
  /// change counter, the application ID, and the version-valid-for number (The SQLite Database File Format,
  /// 1.3).
  private static let leftOut = [18..<20, 24..<28, 60..<64, 92..<96]
  /// The offset of the application ID.
  static let applicationNumber = 60

  /// The digest of a page, without those fields of the first page; never 0.
  static func digest(of page: UnsafeRawBufferPointer, number: UInt32) -> UInt64 {
    var digest = ContentDigest()
    if number == 1 {
      var copy = [UInt8](page)
      for field in leftOut where field.upperBound <= copy.count {
        for place in field { copy[place] = 0 }
      }
      copy.withUnsafeBytes { digest.update($0) }
    } else {
      digest.update(page)
    }
    return max(digest.word, 1)
  }
}
