internal import BulkCoding

/// Makes what the default transformer makes of an object: a keyed archive, here of a number.
enum ArchiveMaker {
  /// The archive of a number.
  static func archive(of number: Int64) -> [UInt8] {
    BinaryPropertyListWriter.write(
      .dictionary([
        "$archiver": .string("NSKeyedArchiver"),
        "$objects": .array([.string("$null"), .integer(number)]),
        "$top": .dictionary(["root": .uid(1)]),
        "$version": .integer(100_000),
      ])
    )
  }
}
