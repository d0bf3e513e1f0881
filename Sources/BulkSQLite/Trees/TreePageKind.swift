/// The kind of a page of a b-tree, by its first byte.
///
/// Source: “B-tree Pages”, section 1.6 of SQLite's file format document.
enum TreePageKind: UInt8 {
  case indexInterior = 2
  case tableInterior = 5
  case indexLeaf = 10
  case tableLeaf = 13

  var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }
  /// The size of the header in bytes, after which the pointers to the cells begin.
  var headerSize: Int { isLeaf ? 8 : 12 }
}
