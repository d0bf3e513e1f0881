internal import BulkSupport
internal import BulkModel

/// A program that takes the place of a policy class: its command, and how long it may be silent.
package struct PolicyProgram: Hashable, Sendable {
  /// The bytes of a file that enter ``digest``.
  private static let digestedBytes = 1 << 20

  /// The words of the command, at least one; no shell reads them.
  package let words: [String]
  /// A digest of the command and of the files that its words name, in hexadecimal.
  ///
  /// A resumed run compares it with that of the run before; the interpreter, which is found by its name, is none of the
  /// files.
  let digest: String
  /// How long a request may wait for a sign of life.
  package let patience: Duration

  package init(words: [String], patience: Duration) {
    (self.words, self.patience) = (words, patience)
    var hash = SHA256()
    for word in words {
      hash.update(word + "\0")
      hash.update(FileReading.beginning(of: word, count: Self.digestedBytes) ?? [])
    }
    digest = VersionHash.hexadecimal(hash.finalize())
  }
}
