import BulkSupport
import BulkModel
import Testing

/// Archives of one outermost object, built by hand.
enum Archives {
  static func bytes(
    _ writer: inout KeyedArchiveWriter,
    _ name: String,
    _ entries: [String: PropertyList]
  ) -> [UInt8] {
    let root = writer.add(class: .init(name), entries)
    return BinaryPropertyListWriter.write(writer.finish(root: root))
  }

  /// An archive of an object and of others that it refers to by number, the root being number 1.
  ///
  /// In the entries, `.integer(n)` under a key that ends with `→` refers to object n.
  static func bytes(_ objects: [(name: String, entries: [String: PropertyList])]) -> [UInt8] {
    var writer = KeyedArchiveWriter()
    let references = objects.map { _ in writer.reserve() }
    for (reference, object) in zip(references, objects) {
      let entries = object.entries.map { key, value in
        key.hasSuffix("→") ? (String(key.dropLast()), referenced(value, references)) : (key, value)
      }
      writer.set(
        reference,
        class: .init(object.name),
        Dictionary(uniqueKeysWithValues: entries)
      )
    }
    let root = references.first ?? KeyedArchiveWriter.null
    return BinaryPropertyListWriter.write(writer.finish(root: root))
  }

  private static func referenced(
    _ value: PropertyList,
    _ references: [PropertyList]
  ) -> PropertyList {
    switch value {
    case .integer(let number): references[Int(number) - 1]
    case .array(let elements): .array(elements.map { referenced($0, references) })
    case .boolean, .unsigned, .real, .date, .data, .string, .uid, .dictionary, .null: value
    }
  }
}

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
