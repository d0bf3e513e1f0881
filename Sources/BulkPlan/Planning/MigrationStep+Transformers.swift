internal import BulkLowering
internal import BulkMapping

extension MigrationStep {
  /// Warnings of bytes that are copied although another transformer is to read them, a sentence each.
  var copiedTransformables: [String] {
    mapping.copiedTransformables(from: source, to: destination).map { copied in
      "entity mapping \(copied.mapping), attribute \(copied.attribute): transformer \(copied.reader) wrote the "
        + "bytes, and \(copied.writer) is to read them; they are copied as they are"
        + (isInferred
          ? ", as Core Data does without a mapping model"
          : "; a program that has both transformers converts them")
    }
  }
}
