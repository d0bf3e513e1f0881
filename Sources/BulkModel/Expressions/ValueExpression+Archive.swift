package import BulkCoding

extension ValueExpression {
  /// Reads an archived `NSExpression`.
  package init(archived object: ArchivedObject) throws(ExpressionArchiveError) {
    var decoder = ExpressionDecoder()
    self = try decoder.expression(object)
  }

  /// Reads an archive whose root is an expression, as in mapping models.
  package init(archive bytes: [UInt8]) throws(ExpressionArchiveError) {
    try self.init(archived: KeyedArchive.expressionRoot(of: bytes))
  }

  /// An archive whose root is the expression, as a binary property list.
  package func archive() -> [UInt8] {
    var writer = KeyedArchiveWriter()
    let root = writer.add(self)
    return BinaryPropertyListWriter.write(writer.finish(root: root))
  }
}

extension ValuePredicate {
  /// Reads an archived `NSPredicate`.
  package init(archived object: ArchivedObject) throws(ExpressionArchiveError) {
    var decoder = ExpressionDecoder()
    self = try decoder.predicate(object)
  }

  /// Reads an archive whose root is a predicate.
  package init(archive bytes: [UInt8]) throws(ExpressionArchiveError) {
    try self.init(archived: KeyedArchive.expressionRoot(of: bytes))
  }

  /// An archive whose root is the predicate, as a binary property list.
  package func archive() -> [UInt8] {
    var writer = KeyedArchiveWriter()
    let root = writer.add(self)
    return BinaryPropertyListWriter.write(writer.finish(root: root))
  }
}

extension KeyedArchive {
  fileprivate static func expressionRoot(
    of bytes: [UInt8]
  ) throws(ExpressionArchiveError) -> ArchivedObject {
    let archive: KeyedArchive
    do throws(CodingError) { archive = try KeyedArchive(bytes) } catch {
      throw ExpressionArchiveError(place: "archive", reason: .notAnArchive(error.description))
    }
    guard let root = archive.root else {
      throw ExpressionArchiveError(place: rootKey, reason: .missing)
    }
    return root
  }
}
