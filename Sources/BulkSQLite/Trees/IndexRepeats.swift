/// Finds the entries of an index that repeat the values of another one before them, without SQLite.
///
/// Entries with equal values follow one another, in the order of their row ids. Anything unusual ends the reading; the
/// caller continues with SQLite, which handles it.
///
/// Source: “B-tree Pages” and “Record Format”, sections 1.6 and 2.1 of SQLite's file format document.
package final class IndexRepeats {
  private let pages: TreePages
  /// The number of columns before the row id.
  private let columns: Int
  private let limit: Int
  private var found: [Int64] = []
  /// The types and the values of the entry before, as the record has them.
  private var former: (header: [UInt8], body: [UInt8]) = ([], [])

  private static let pagesBetweenChecks = 256

  private init(_ pages: TreePages, columns: Int, limit: Int) {
    (self.pages, self.columns, self.limit) = (pages, columns, limit)
  }

  /// The row ids of the entries that repeat another one, in the order of the index; entries with NULL repeat nothing.
  ///
  /// - Parameters:
  ///   - index: The name of the index, all of whose changes are committed.
  ///   - columns: The number of its columns.
  ///   - connection: A connection of the file.
  ///   - limit: The maximum number of row ids to return.
  ///   - isStopped: Called every few hundred pages; returns whether to give up.
  /// - Returns: The row ids; `nil` if there are more, if the index does not exist, or if only SQLite can tell.
  /// - Throws: ``SQLiteError`` if the schema cannot be read.
  package static func rows(
    in index: String,
    columns: Int,
    _ connection: Connection,
    limit: Int,
    isStopped: () -> Bool
  ) throws(SQLiteError) -> [Int64]? {
    guard let root = try connection.root(ofTable: index, isIndex: true),
      let pages = try? TreePages(connection.file)
    else { return nil }
    let search = IndexRepeats(pages, columns: columns, limit: limit)
    var pagesRead = 0
    do {
      try TreeWalk.eachEntry(below: root, in: pages) {
        pagesRead += 1
        return pagesRead.isMultiple(of: pagesBetweenChecks) && isStopped()
      } _: { page, place in
        try search.read(page, at: place)
      }
      return search.found
    } catch {
      return nil
    }
  }

  /// Reads an entry, and compares its values with those of the one before.
  private func read(_ bytes: PageBytes, at place: Int) throws {
    var offset = place
    let count = try bytes.variable(at: &offset)
    guard count <= UInt64(pages.usableSize),
      pages.layout.localSize(ofRecord: Int(count), inTable: false) == Int(count)
    else { throw TreeDamage() }
    let record = try bytes.part(from: offset, count: Int(count))
    let entry = PageBytes(bytes: record)
    var fields = try RecordFields(entry)
    guard fields.end <= record.count else { throw TreeDamage() }
    let (types, body) = (fields.offset, fields.end)
    var end = body
    var hasNull = false
    for _ in 0..<columns {
      guard let (type, _) = try fields.next() else { throw TreeDamage() }
      switch type.storageClass {
      case .null: hasNull = true
      // The same number may be an integer in another entry.
      case .real: throw TreeDamage()
      case .integer, .text, .blob: break
      }
      end += type.length
    }
    let kinds = try entry.part(from: types, count: fields.offset - types)
    let values = try entry.part(from: body, count: end - body)
    let repeatsFormer =
      former.header.withUnsafeBytes { kinds.isSame(as: $0) }
      && former.body.withUnsafeBytes { values.isSame(as: $0) }
    guard repeatsFormer, !hasNull else {
      former.header.replaceSubrange(0..., with: kinds)
      former.body.replaceSubrange(0..., with: values)
      return
    }
    guard let (type, place) = try fields.next(), fields.offset == body,
      type.storageClass == .integer, found.count < limit
    else { throw TreeDamage() }
    found.append(type.integer(try entry.part(from: place, count: type.length), at: 0))
  }
}
