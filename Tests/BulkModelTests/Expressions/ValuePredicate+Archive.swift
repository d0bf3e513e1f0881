import BulkCoding
import BulkModel
import Testing

extension ValuePredicate {
  /// Reads an archive whose root is a predicate.
  init(archive bytes: [UInt8]) throws {
    try self.init(archived: #require(KeyedArchive(bytes).root))
  }

  /// An archive whose root is the predicate, as a binary property list.
  func archive() -> [UInt8] {
    var writer = KeyedArchiveWriter()
    let root = writer.add(self)
    return BinaryPropertyListWriter.write(writer.finish(root: root))
  }
}
