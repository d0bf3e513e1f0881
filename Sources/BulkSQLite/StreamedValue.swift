/// A binary value that is too large to be held: it stands where it is read, and is copied from there
/// when the row that gets it has been inserted.
package struct StreamedValue: Hashable, Sendable {
  /// Where it is read.
  package let source: BlobHandle.Place
  /// The bytes at its beginning that are left out.
  package let skipped: Int
  /// What comes before the bytes that are read.
  package let prefix: [UInt8]
  /// All bytes that it will have.
  package let count: Int

  /// A value that is read elsewhere.
  ///
  /// - Parameters:
  ///   - source: Where it is read.
  ///   - sourceCount: The bytes there.
  ///   - skipped: The bytes at its beginning that are left out.
  ///   - prefix: What comes before the others.
  package init(
    _ source: BlobHandle.Place,
    count sourceCount: Int,
    skipping skipped: Int,
    after prefix: [UInt8]
  ) {
    self.source = source
    self.skipped = skipped
    self.prefix = prefix
    count = prefix.count + sourceCount - skipped
  }
}
