/// What is kept of a file in which rows are looked for by their keys; the file does not change.
package final class LookupCache {
  /// The pages that were read last.
  let pages: PageCache
  /// The lists; `nil` for those that do not fit.
  private var lists: [ListedRows.Contents: ListedRows?] = [:]
  /// The bytes for lists.
  private let listBytes: Int
  /// The lookups in tables that are not listed, by root.
  private var lookups: [UInt32: Int64] = [:]
  /// The least lookups before rows are listed; a list of a large file is worth it later.
  private static let leastLookups: Int64 = 256
  /// The pages of a file that a list reads in the time of one lookup.
  private static let pagesPerLookup: Int64 = 16

  /// A cache of some bytes, a quarter of them for pages, which are allocated when they are needed.
  package init(bytes: Int) {
    pages = PageCache(size: bytes / 4)
    listBytes = bytes - bytes / 4
  }

  /// Counts a lookup in a table, and returns whether its rows are worth a list.
  func count(_ root: UInt32, pagesOfFile pages: Int64) -> Bool {
    let count = lookups[root, default: 0] + 1
    lookups[root] = count
    return count > max(Self.leastLookups, pages / Self.pagesPerLookup)
  }

  /// A list, which is made if it is not known; `nil` if it does not fit, or a row cannot be read.
  func list(_ contents: ListedRows.Contents, of file: SourceFile, largestRecord: Int) -> ListedRows?
  {
    if let known = lists[contents] { return known }
    let records = SourceRecords(
      TreeCursor(contents.root, of: file),
      columns: contents.column.map { [$0] } ?? [],
      where: contents.conditions,
      largestRecord: largestRecord
    )
    let made = records.flatMap { ListedRows(contents, $0, within: room()) }
    lists[contents] = .some(made)
    return made
  }

  /// The bytes for another list; lists that nobody uses give way if most of the room is taken.
  private func room() -> Int {
    func left() -> Int { listBytes - lists.values.reduce(0) { $0 + ($1?.bytes ?? 0) } }
    if left() < listBytes / 2 {
      for contents in Array(lists.keys) {
        var list = lists.removeValue(forKey: contents) ?? nil
        if list == nil || !isKnownUniquelyReferenced(&list) { lists[contents] = .some(list) }
      }
    }
    return left()
  }
}
