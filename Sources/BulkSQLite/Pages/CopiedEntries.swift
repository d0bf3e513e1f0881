/// An index of a source table whose entries may be those of an index of the destination.
struct SourceIndex {
  let root: UInt32
  let file: SourceFile
}

/// The entries of an index over integers, read from an index of the source that has the same ones, in their order.
///
/// They are compared with those that are expected by their number and a sum of digests: an index that is damaged, or has
/// other entries, is not taken.
///
/// Source: “B-tree Pages” and “Record Format”, sections 1.6 and 2.1 of SQLite's file format document.
final class CopiedEntries {
  private let source: SourceIndex
  /// Whether the values of each column descend, and then the row id.
  private let descends: [Bool]
  private let isUnique: Bool
  private var width: Int { descends.count }
  /// The number of entries, and the sum of their digests: of those that are expected, and of those that were read.
  private var (expected, found): (EntrySum, EntrySum) = (EntrySum(), EntrySum())
  /// The words of the entry that is read and, behind them, of the one before.
  private let words: UnsafeMutablePointer<UInt64>
  private let fields: RecordFields

  /// The index has an entry for each row.
  init(of index: TableInfo.Index, from source: SourceIndex) {
    self.source = source
    descends = index.descends + [false]
    isUnique = index.isUnique
    words = .allocate(capacity: 2 * descends.count)
    words.initialize(repeating: 0, count: 2 * descends.count)
    fields = RecordFields(first: descends.count)
  }

  deinit { words.deallocate() }

  /// Expects entries, by their words field by field.
  func expect(_ words: UnsafePointer<UInt64>, stride: Int, _ count: Int) {
    for entry in 0..<count { expected.add(words + entry, stride: stride, width) }
  }

  /// Passes on all entries' words, and whether an entry's columns equal those of the one before.
  ///
  /// Returns whether the entries are the expected ones.
  func each(
    _ body: (UnsafePointer<UInt64>, Bool) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> Bool {
    do {
      try TreeWalk.eachEntry(below: source.root, in: TreePages(source.file)) { page, offset in
        try body(words, try read(page, at: offset))
      }
      return found == expected
    } catch let error as SQLiteError {
      throw error
    } catch {
      return false
    }
  }

  @inline(__always)
  private func read(_ page: PageBytes, at cell: Int) throws(TreeDamage) -> Bool {
    let former = words + width
    former.update(from: words, count: width)
    var offset = cell
    let size = Int(clamping: try page.variable(at: &offset))
    let record = try page.part(from: offset, count: size)
    let (count, end, areAll) = try fields.find(in: record)
    guard areAll, count == width, end == size else { throw TreeDamage() }
    var isEqual = found.count > 0
    var isGreater = !isEqual
    var hasNull = false
    for field in 0..<width {
      let isNull = fields.all[field].type == 0
      guard isNull ? field < width - 1 : fields.all[field].isInteger else { throw TreeDamage() }
      let value = isNull ? .min : fields.all[field].integer(record)
      guard isNull || value != .min else { throw TreeDamage() }
      hasNull = hasNull || isNull
      // The word of the least integer is that of NULL.
      words[field] = EntryOrder.word(of: value) ^ (descends[field] ? .max : 0)
      if isGreater || words[field] == former[field] { continue }
      guard words[field] > former[field] else { throw TreeDamage() }
      isGreater = true
      isEqual = field == width - 1
    }
    guard isGreater, !isUnique || !isEqual || hasNull else { throw TreeDamage() }
    found.add(words, stride: 1, width)
    return isEqual
  }
}

/// The number of some entries and the sum of their digests, which does not depend on their order.
private struct EntrySum: Equatable {
  private(set) var count = 0
  private var sum: UInt64 = 0

  @inline(__always)
  mutating func add(_ words: UnsafePointer<UInt64>, stride: Int, _ width: Int) {
    count += 1
    var digest = ContentDigest.first
    for field in 0..<width { digest = ContentDigest.folded(digest, words[field * stride]) }
    sum &+= digest
  }
}
