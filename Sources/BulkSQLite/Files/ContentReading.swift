/// How far a file was read for its digest, and in which state it was.
///
/// Another process goes on from there as long as the file is the same and nobody has touched it.
package struct ContentReading: Codable, Hashable, Sendable {
  /// What the file system said of the file; nothing where it said nothing.
  private let state: [Int64]
  /// The bytes that were read.
  package private(set) var offset: Int64 = 0
  /// The digest of these.
  private(set) var digest = ContentDigest()

  /// Begins to read a file.
  init(of state: [Int64]) { self.state = state }

  /// Whether it was a file in this state that was read.
  func isOf(_ state: [Int64]) -> Bool { !state.isEmpty && state == self.state }

  /// Takes what comes next in the file; all but the last bytes are a multiple of 32.
  mutating func take(_ bytes: UnsafeRawBufferPointer) {
    digest.update(bytes)
    offset += Int64(bytes.count)
  }
}
