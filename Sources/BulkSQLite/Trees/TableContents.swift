/// The contents of a table's pages, as found by a walk through all of them.
package struct TableContents: Hashable, Sendable {
  package private(set) var rows: Int64 = 0
  /// The bytes of the largest record.
  package private(set) var largestRecord = 0
  /// The rows by the integer in one column; `nil` where none was requested.
  package private(set) var rowsByNumber: [Int64: Int64]?

  /// The column whose numbers are counted, from 0 as in the record.
  private let column: Int?
  /// The maximum number of numbers that are distinguished.
  private static let numberLimit = 65_536

  init(counting column: Int?) {
    self.column = column
    rowsByNumber = column.map { _ in [:] }
  }

  /// Adds the row of a leaf's cell at an offset of the usable bytes of its page.
  ///
  /// - Throws: ``TreeDamage`` if the cell is irregular, so that the contents of the table are
  ///   unknown.
  mutating func add(_ bytes: PageBytes, at start: Int, _ layout: PageLayout) throws(TreeDamage) {
    var offset = start
    let stated = try bytes.variable(at: &offset)
    guard stated <= UInt64(Int32.max) else { throw TreeDamage() }
    let count = Int(stated)
    _ = try bytes.variable(at: &offset)
    rows += 1
    largestRecord = max(largestRecord, count)
    guard let column else { return }
    let local = layout.localSize(ofRecord: count, inTable: true)
    let number = try Self.number(in: bytes.part(from: offset, count: local), column)
    rowsByNumber?[number, default: 0] += 1
    guard rowsByNumber?.count ?? 0 <= Self.numberLimit else { throw TreeDamage() }
  }

  /// The integer in a column of a record whose beginning is given.
  private static func number(
    in record: UnsafeRawBufferPointer,
    _ column: Int
  ) throws(TreeDamage) -> Int64 {
    let bytes = PageBytes(bytes: record)
    var fields = try RecordFields(bytes)
    guard fields.end <= record.count else { throw TreeDamage() }
    for _ in 0..<column { _ = try fields.next() }
    guard let (type, place) = try fields.next(), type.storageClass == .integer else {
      throw TreeDamage()
    }
    return type.integer(try bytes.part(from: place, count: type.length), at: 0)
  }
}
