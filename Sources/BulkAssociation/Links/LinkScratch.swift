/// Where links are sorted: a folder for links that do not fit into memory, and the memory limit of each
/// sort.
package final class LinkScratch {
  /// The least memory in bytes that a sort needs.
  package static let leastMemory = 1 << 20

  /// The memory in bytes for the links that one sort collects, including the memory for sorting them.
  let memory: Int
  private let folder: String
  private let prefix: String
  private var files = 0

  /// Prepares a place to sort.
  ///
  /// - Parameters:
  ///   - folder: The folder of the files; none of them outlives the process, even if it crashes.
  ///   - prefix: The prefix of their names.
  ///   - memory: The memory limit of each sort in bytes; at least ``leastMemory``.
  package init(in folder: String, prefix: String, memory: Int) {
    self.folder = folder
    self.prefix = prefix
    self.memory = max(memory, Self.leastMemory)
  }

  /// Creates a file without a name.
  func makeFile() throws(AssociationError) -> SegmentFile {
    files += 1
    return try SegmentFile(unnamedIn: folder, as: "\(prefix)-sorted-\(files)")
  }
}
