internal import BulkLowering
internal import BulkMapping

extension MigrationStep {
  /// Warnings of bytes that are copied although another transformer is to read them, a sentence for each two
  /// transformers.
  var copiedTransformables: [String] {
    let copied = mapping.copiedTransformables(from: source, to: destination)
    let groups = Dictionary(grouping: copied) { [$0.reader, $0.writer] }
    return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { names, copied in
      let places = copied.map { "\($0.mapping).\($0.attribute)" }.joined(separator: ", ")
      return
        "transformer \(names[0]) wrote the bytes of \(places), and \(names[1]) is to read them; they are "
        + "copied as they are"
        + (isInferred
          ? ", as Core Data does without a mapping model"
          : "; a program that has both transformers converts them")
    }
  }
}
