/// A fast digest of many bytes, for detecting accidental changes to a file.
///
/// Four lanes each take 8-byte words in turn, so that an extra or missing byte, a changed bit or two
/// swapped words change the digest. It is not collision-resistant against deliberate changes.
struct ContentDigest: Sendable {
  private var lanes: (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
  private var count: UInt64 = 0

  static let first: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let second: UInt64 = 0xC2B2_AE3D_27D4_EB4F

  /// Adds bytes; every call but the last must pass a multiple of 32.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    count += UInt64(bytes.count)
    var offset = 0
    while offset + 32 <= bytes.count {
      take(
        (
          bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
          bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self),
          bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self),
          bytes.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self)
        )
      )
      offset += 32
    }
    guard offset < bytes.count else { return }
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    withUnsafeMutableBytes(of: &words) { rest in
      rest.copyMemory(from: bytes.part(offset..<bytes.count))
    }
    take(words)
  }

  private mutating func take(_ words: (UInt64, UInt64, UInt64, UInt64)) {
    lanes.0 = Self.mixed(lanes.0, words.0)
    lanes.1 = Self.mixed(lanes.1, words.1)
    lanes.2 = Self.mixed(lanes.2, words.2)
    lanes.3 = Self.mixed(lanes.3, words.3)
  }

  private static func mixed(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    let sum = lane &+ UInt64(littleEndian: word) &* second
    return (sum << 31 | sum >> 33) &* first
  }

  /// The next digest of a few words in their order, of which the first is mixed with ``first``.
  @inline(__always)
  static func folded(_ digest: UInt64, _ word: UInt64) -> UInt64 {
    let product = (digest ^ word).multipliedFullWidth(by: second)
    return product.high ^ product.low
  }

  var words: [UInt64] { [lanes.0, lanes.1, lanes.2, lanes.3, count] }
  var word: UInt64 { words.reduce(5) { Self.mixed($0, $1) } }
}

extension ContentDigest: Hashable {
  static func == (one: ContentDigest, other: ContentDigest) -> Bool { one.words == other.words }

  func hash(into hasher: inout Hasher) { hasher.combine(words) }
}

extension ContentDigest: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let words = try container.decode([UInt64].self)
    guard words.count == 5 else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "a digest has five words"
      )
    }
    lanes = (words[0], words[1], words[2], words[3])
    count = words[4]
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(words)
  }
}

/// How much of a file its digest covers, and the state of the file at the time.
///
/// Another process can resume from there if the file is still the same and unchanged.
package struct ContentReading: Codable, Hashable, Sendable {
  private let state: [Int64]
  package private(set) var offset: Int64 = 0
  private var digest = ContentDigest()
  /// The digest as words that are the same on every system.
  package var words: [UInt64] { digest.words }

  init(of state: [Int64]) { self.state = state }

  func wasRead(in state: [Int64]) -> Bool { state == self.state }

  package func coversAll(of path: String) -> Bool {
    guard let file = try? PlainFile(path: path) else { return false }
    return wasRead(in: file.state) && offset == file.size
  }

  mutating func take(_ bytes: UnsafeRawBufferPointer) {
    digest.update(bytes)
    offset += Int64(bytes.count)
  }
}

/// Reads a file for the digest of its content, a mebibyte at a time.
///
/// A reader of the file for another purpose can advance the digest with it, so that the system reads each part from the disk
/// once for both.
package final class DigestSteps {
  private(set) var reading: ContentReading
  private let file: PlainFile
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
  private var failure: SQLiteError?

  /// Continues a former reading, unless the file has changed since.
  init(of file: PlainFile, after former: ContentReading?) {
    self.file = file
    let state = file.state
    reading = former.flatMap { $0.wasRead(in: state) ? $0 : nil } ?? ContentReading(of: state)
  }

  deinit { buffer.deallocate() }

  func next() throws(SQLiteError) -> Bool {
    if let failure { throw failure }
    guard reading.offset < file.size else { return false }
    let count = file.read(into: buffer, at: reading.offset)
    guard count >= 0 else { throw file.failure("it cannot be read") }
    guard count > 0 else { return false }
    reading.take(UnsafeRawBufferPointer(buffer.part(0..<count)))
    return true
  }

  /// The bytes to which a reader may be ahead; who reads farther away has jumped, and may come back.
  private static let reach: Int64 = 32 << 20

  /// Reads on until a byte is among those read, if that is near; a failure is thrown at the end.
  package func advance(through offset: Int64) {
    guard offset - reading.offset < Self.reach else { return }
    do throws(SQLiteError) {
      while reading.offset <= offset, try next() {}
    } catch {
      failure = error
    }
  }

  package func finish() throws(SQLiteError) -> ContentReading {
    while try next() {}
    return reading
  }
}

extension [UInt8] {
  func bigEndian32(at offset: Int) -> UInt32 {
    UInt32(self[offset]) << 24 | UInt32(self[offset + 1]) << 16 | UInt32(self[offset + 2]) << 8
      | UInt32(self[offset + 3])
  }
}
