/// Where links are sorted: a folder for what does not fit into memory, and the bytes that each sorting
/// may take.
package final class LinkScratch {
  /// The least number of bytes that a sorting takes.
  package static let leastMemory = 1 << 20

  let compressor: BlockCompressor
  let decompressor: BlockDecompressor
  /// The bytes that the links of one sorting take while they are collected, what sorting them takes
  /// included.
  let memory: Int
  private let folder: String
  private let prefix: String
  private var files = 0

  /// Prepares a place to sort in.
  ///
  /// - Parameters:
  ///   - folder: The folder of the files; none of them outlives the process, whatever ends it.
  ///   - prefix: The beginning of their names.
  ///   - memory: The bytes that each sorting may take; at least ``leastMemory``.
  /// - Throws: ``AssociationError/noCompressionMemory``.
  package init(in folder: String, prefix: String, memory: Int) throws(AssociationError) {
    self.folder = folder
    self.prefix = prefix
    self.memory = max(memory, Self.leastMemory)
    compressor = try BlockCompressor()
    decompressor = try BlockDecompressor()
  }

  /// A file without a name.
  func makeFile() throws(AssociationError) -> SegmentFile {
    files += 1
    return try SegmentFile(unnamedIn: folder, as: "\(prefix)-sorted-\(files)")
  }
}
