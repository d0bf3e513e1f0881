/// Reads the fields of records one after the other, and digests those that indexes hold.
final class RecordReader {
  /// The columns of every index of a table, whose digests are summed up; for an index itself, all fields are.
  private let indexes: [[Int]]?
  /// The columns of any index, and those that are noted.
  private let needed: [Int]
  /// The notes for the values of some columns, and the indexes of these.
  private let census: (table: KeyCensus.Table, indexes: [Int])?
  private let sums: UnsafeMutableBufferPointer<UInt64>
  /// The types that a field may have, by column; 0 for the column that is another name of the row
  /// id.
  private let allowed: UnsafeMutableBufferPointer<UInt8>
  private let key: Int
  /// The first column with a default value, which a record that ends before it shows; none is beyond all columns.
  private let firstDefault: Int
  private let found: RecordFields
  private let fields: UnsafeMutableBufferPointer<RecordField>
  private var count = 0

  private static let (integers, reals, fractions, texts): (UInt8, UInt8, UInt8, UInt8) = (
    1, 2, 4, 8
  )

  init(_ table: TableInfo, noting census: (table: KeyCensus.Table, indexes: [Int])? = nil) {
    // The row id follows the key.
    let indexes = table.indexes.map { $0.columns + [-1] }
    self.indexes = indexes
    self.census = census
    needed = Set(indexes.flatMap(\.self) + (census?.indexes ?? [])).sorted()
    sums = .allocate(capacity: indexes.count)
    sums.initialize(repeating: 0)
    key = table.key ?? -1
    firstDefault = table.columns.firstIndex(where: \.hasDefault) ?? .max
    allowed = .allocate(capacity: table.columns.count)
    for (index, column) in table.columns.enumerated() {
      allowed[index] = index == table.key ? 0 : Self.allowed(column.affinity)
    }
    found = RecordFields(first: table.columns.count)
    fields = found.all
  }

  init() {
    (indexes, needed, key, firstDefault, census) = (nil, [], -1, .max, nil)
    sums = .allocate(capacity: 1)
    sums[0] = 0
    allowed = .allocate(capacity: 0)
    found = RecordFields(first: RecordFields.most)
    fields = found.all
  }

  deinit {
    sums.deallocate()
    allowed.deallocate()
  }

  func sum(of position: Int) -> UInt64 { sums[position] }

  /// The types that SQLite stores unchanged in a column; NULL and blobs are stored unchanged in
  /// any.
  private static func allowed(_ affinity: ColumnAffinity) -> UInt8 {
    switch affinity {
    case .blob: integers | reals | texts
    case .text: texts
    case .real: integers | reals
    // A whole number would be an integer.
    case .integer, .numeric: integers | fractions
    }
  }

  /// The record may be partly in its cell; throws if SQLite would not write it into the table.
  @inline(__always)
  func begin(_ local: UnsafeRawBufferPointer, of size: Int) throws(TreeDamage) {
    let (count, end, areAll) = try found.find(in: local)
    guard areAll, end == size else { throw TreeDamage() }
    self.count = count
    if indexes != nil { try refuseForeign(local) }
  }

  /// Refuses a record that SQLite would not have stored so in the columns of the table.
  @inline(__always)
  private func refuseForeign(_ local: UnsafeRawBufferPointer) throws(TreeDamage) {
    for column in 0..<count {
      let type = fields[column].type
      if type == 0 || type >= 12 && type & 1 == 0 && column != key { continue }
      let allowed = allowed[column]
      let isStored =
        if type >= 12 {
          allowed & Self.texts != 0
        } else if type != 7 {
          allowed & Self.integers != 0
        } else {
          allowed & Self.reals != 0
            || allowed & Self.fractions != 0
              && fields[column].start + 8 <= local.count
              && wholeNumber(fields[column], local) == nil
        }
      guard isStored else { throw TreeDamage() }
    }
  }

  /// The end of the fields that are digested in the record.
  @inline(__always)
  var neededBytes: Int {
    var end = 0
    if indexes == nil { return count == 0 ? 0 : fields[count - 1].start + fields[count - 1].length }
    for column in needed where column >= 0 && column < count {
      end = max(end, fields[column].start + fields[column].length)
    }
    return end
  }

  /// Adds the digests of the record to the sums; its bytes through the digested fields are given.
  @inline(__always)
  func digest(_ bytes: UnsafeRawBufferPointer, rowID: Int64) {
    let count = count
    guard let indexes else {
      var digest = ValueDigest()
      for column in 0..<count { add(fields[column], bytes, to: &digest) }
      sums[0] &+= digest.value
      return
    }
    for position in indexes.indices {
      var digest = ValueDigest()
      for column in indexes[position] {
        if column < 0 || column == key {
          digest.add(rowID)
        } else if column >= count {
          digest.addNull()
        } else {
          add(fields[column], bytes, to: &digest)
        }
      }
      sums[position] &+= digest.value
    }
    if let census { note(bytes, rowID, in: census.table, at: census.indexes) }
  }

  @inline(__always)
  private func note(
    _ bytes: UnsafeRawBufferPointer,
    _ rowID: Int64,
    in table: KeyCensus.Table,
    at positions: [Int]
  ) {
    table.add(key: rowID)
    for (column, position) in positions.enumerated() {
      let type = position < count ? fields[position].type : 0
      switch type {
      case 0 where position == key: table.add(rowID, in: column)
      case 0 where position >= count && position >= firstDefault: table.addOther(in: column)
      case 0: table.addNull(in: column)
      case 1...6, 8, 9: table.add(fields[position].integer(bytes), in: column)
      default: table.addOther(in: column)
      }
    }
  }

  @inline(__always)
  private func add(
    _ field: RecordField,
    _ bytes: UnsafeRawBufferPointer,
    to digest: inout ValueDigest
  ) {
    switch field.type {
    case 0: digest.addNull()
    case 7:
      // An index holds a whole number as an integer.
      if let number = wholeNumber(field, bytes) {
        digest.add(number)
      } else {
        let bits = bytes.loadUnaligned(fromByteOffset: field.start, as: UInt64.self)
        digest.add(bits: bits)
      }
    case 1...6, 8, 9: digest.add(field.integer(bytes))
    default:
      let value = bytes.part(field.start..<field.start + field.length)
      digest.add(value, isText: field.isText)
    }
  }

  private func wholeNumber(_ field: RecordField, _ bytes: UnsafeRawBufferPointer) -> Int64? {
    Int64(exactly: field.real(bytes))
  }
}

/// A digest of a few values, in their order.
private struct ValueDigest {
  private(set) var value = ContentDigest.first

  @inline(__always)
  mutating func addNull() { mix(0x6C62_272E_07BB_0142) }

  @inline(__always)
  mutating func add(_ number: Int64) { mix(UInt64(bitPattern: number)) }

  mutating func add(bits: UInt64) { mix(~bits) }

  mutating func add(_ bytes: UnsafeRawBufferPointer, isText: Bool) {
    mix(UInt64(bytes.count) << 1 | (isText ? 1 : 0) | 1 << 63)
    var offset = 0
    while offset + 8 <= bytes.count {
      mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    for index in offset..<bytes.count { rest = rest << 8 | UInt64(bytes[index]) }
    mix(rest)
  }

  @inline(__always)
  private mutating func mix(_ word: UInt64) { value = ContentDigest.folded(value, word) }
}
