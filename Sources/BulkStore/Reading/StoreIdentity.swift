internal import BulkSupport
internal import BulkModel
internal import BulkSQLite

/// Identifies a state of a store file.
///
/// It is a digest of the file's bytes and of the committed part of the log beside it. It does not depend on
/// the file's path or times.
package struct StoreIdentity: Hashable, Sendable {
  /// In hexadecimal.
  package let text: String

  /// The identity of a store that was not read.
  package static let unread = StoreIdentity(text: "")

  private init(text: String) { self.text = text }

  fileprivate init(of words: [UInt64], _ file: DatabaseFile) {
    var hash = SHA256()
    for word in words + [file.logChecksum] {
      // The bytes are copied within the closure.
      unsafe hash.update(withUnsafeBytes(of: word.littleEndian) { unsafe Array($0) })
    }
    text = VersionHash.hexadecimal(hash.finalize())
  }
}

extension StoreIdentity {
  /// A reading may run on any thread.
  package struct Reading: Sendable {
    private let file: DatabaseFile

    init(_ file: DatabaseFile) { self.file = file }

    /// Reads the whole file, so that nobody has to read it again as long as its attributes are the same.
    ///
    /// The walk reads the file for another purpose, and calls its argument with the offset of every
    /// part before it reads it, so that the disk is read once for both where it reads the parts in
    /// their order. The reading is `nil` if a change of the file might not show.
    package func runOnce(
      alongside walk: (_ willRead: @escaping (Int64) -> Void) throws(StoreError) -> Void
    ) throws(StoreError) -> (StoreIdentity, StoreReading?) {
      let isShown = file.waitUntilChangesShow()
      let file = file
      let steps = try file.digestSteps()
      try walk { steps.advance(through: $0) }
      let content = try steps.finish()
      let reading = StoreReading(content: content)
      let identity = StoreIdentity(of: content.words, file)
      return (identity, isShown && reading.coversAll(of: file.path) ? reading : nil)
    }

    /// A former reading is used only if the file is unchanged; the bodies are called for every
    /// mebibyte.
    package func run(
      after former: StoreReading? = nil,
      isStopped: () -> Bool = { false },
      _ note: (StoreReading) -> Void = { _ in }
    ) throws(StoreError) -> StoreIdentity {
      let words = try file.contentDigest(after: former?.content, isStopped: isStopped) {
        note(StoreReading(content: $0))
      }
      return StoreIdentity(of: words, file)
    }
  }
}

/// How much of a store was read to compute its identity; another process can continue from there.
package struct StoreReading: Codable, Hashable, Sendable {
  fileprivate let content: ContentReading

  /// Whether it covers all of a file, without its log, that has not changed.
  package func coversAll(of path: String) -> Bool { content.coversAll(of: path) }
}
