/// What a ``PageLog`` says at one place: 16 bytes, least significant byte first.
///
/// | offset | width | of a page              | of the end of a group        | of a cut            |
/// |-------:|------:|------------------------|------------------------------|---------------------|
/// |      0 |     4 | its number, from 1     | the transaction's number     | the pages that stay |
/// |      4 |     4 | 0                      | 1                            | 2                   |
/// |      8 |     8 | its digest             | the digest of all before it  | 0                   |
struct PageRecord: Equatable {
  static let size = 16

  /// What the record tells.
  enum Kind: UInt32 {
    /// A page was written.
    case page = 0
    /// Everything before this is on the disk.
    case end = 1
    /// The file was cut.
    case cut = 2
  }

  var kind: Kind
  /// The page; of the end of a group, the number of the transaction that it belongs to.
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

  /// A record out of a log; `nil` where it is none.
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
  /// The fields of the first page that change without a transaction: the versions for reading and
  /// writing, the counter of changes, the application's number, and the counter for which the version of
  /// SQLite is valid (The SQLite Database File Format, 1.3).
  private static let leftOut = [18..<20, 24..<28, 60..<64, 92..<96]
  /// The application's number.
  static let applicationNumber = 60

  /// The digest of a page, without those fields of the first; never 0.
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
