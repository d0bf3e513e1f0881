/// Reads the fields of records one after the other, and digests those that indexes hold.
struct RecordReader {
  /// The affinities of the columns; empty for the records of an index.
  private let affinities: [ColumnAffinity]
  /// The index of the column that is another name of the row id.
  private let key: Int?
  /// The types and places of the fields of the current record.
  private var types: [SerialType] = []
  private var places: [Int] = []
  /// The number of bytes that all fields take with the header.
  private(set) var end = 0

  init(_ affinities: [ColumnAffinity], key: Int?) {
    self.affinities = affinities
    self.key = key
  }

  /// Reads the header of a record.
  ///
  /// - Parameters:
  ///   - local: The part of the record in its cell.
  ///   - count: The size of the whole record in bytes.
  /// - Throws: ``TreeDamage`` if the record is not one that SQLite writes into the table.
  mutating func begin(_ local: UnsafeRawBufferPointer, of count: Int) throws(TreeDamage) {
    let bytes = PageBytes(bytes: local)
    types.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    var offset = 0
    let header = try bytes.variable(at: &offset)
    guard header <= UInt64(local.count), offset <= Int(header) else { throw TreeDamage() }
    end = Int(header)
    while offset < Int(header) {
      guard let type = SerialType(try bytes.variable(at: &offset)) else { throw TreeDamage() }
      types.append(type)
      places.append(end)
      end += type.length
    }
    guard offset == Int(header), end == count else { throw TreeDamage() }
  }

  /// Refuses a record that SQLite would not have stored so in the columns of the table.
  func refuseForeign(_ local: UnsafeRawBufferPointer) throws(TreeDamage) {
    guard types.count <= affinities.count else { throw TreeDamage() }
    for (column, type) in types.enumerated() {
      let isStored =
        switch (affinities[column], type.storageClass) {
        case (_, .null), (_, .blob), (.blob, _), (.text, .text): true
        case (.text, .integer), (.text, .real): false
        case (.integer, .text), (.real, .text), (.numeric, .text): false
        case (.integer, .integer), (.real, .integer), (.numeric, .integer): true
        case (.real, .real): true
        // A whole number would be an integer.
        case (.integer, .real), (.numeric, .real):
          places[column] + 8 <= local.count && wholeNumber(column, local) == nil
        }
      guard isStored, column != key || type == .null else { throw TreeDamage() }
    }
  }

  /// The end of the last of some columns in the record.
  func end(of columns: [Int]) -> Int {
    columns.reduce(0) { last, column in
      column >= 0 && column < types.count ? max(last, places[column] + types[column].length) : last
    }
  }

  /// A digest of some columns.
  ///
  /// - Parameters:
  ///   - columns: The indexes of the columns; -1 is the row id.
  ///   - rowID: The row id, where it is not a field of the record.
  ///   - bytes: The record, up to the end of these columns.
  @inline(__always)
  func digest(
    of columns: [Int],
    rowID: Int64,
    _ bytes: UnsafeRawBufferPointer
  ) -> UInt64 {
    var digest = ValueDigest()
    for column in columns {
      if column < 0 || column == key {
        digest.add(rowID)
      } else if column >= types.count {
        digest.addNull()
      } else {
        add(column, bytes, to: &digest)
      }
    }
    return digest.value
  }

  /// A digest of all fields.
  func digest(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var digest = ValueDigest()
    for column in types.indices { add(column, bytes, to: &digest) }
    return digest.value
  }

  @inline(__always)
  private func add(
    _ column: Int,
    _ bytes: UnsafeRawBufferPointer,
    to digest: inout ValueDigest
  ) {
    let (type, place) = (types[column], places[column])
    switch type.storageClass {
    case .null: digest.addNull()
    case .integer: digest.add(type.integer(bytes, at: place))
    case .real:
      // An index holds a whole number as an integer.
      if let number = wholeNumber(column, bytes) {
        digest.add(number)
      } else {
        digest.add(bits: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      }
    case .text, .blob:
      digest.add(
        UnsafeRawBufferPointer(rebasing: bytes[place..<place + type.length]),
        isText: type.storageClass == .text
      )
    }
  }

  /// The real number in a column as an integer, if it is one.
  private func wholeNumber(_ column: Int, _ bytes: UnsafeRawBufferPointer) -> Int64? {
    let bits = bytes.loadUnaligned(fromByteOffset: places[column], as: UInt64.self)
    return Int64(exactly: Double(bitPattern: UInt64(bigEndian: bits)))
  }
}

/// A digest of a few values, in their order.
private struct ValueDigest {
  private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  @inline(__always)
  mutating func addNull() { mix(1) }

  @inline(__always)
  mutating func add(_ number: Int64) {
    mix(2)
    mix(UInt64(bitPattern: number))
  }

  mutating func add(bits: UInt64) {
    mix(3)
    mix(bits)
  }

  mutating func add(_ bytes: UnsafeRawBufferPointer, isText: Bool) {
    mix(isText ? 4 : 5)
    mix(UInt64(bytes.count))
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
  private mutating func mix(_ word: UInt64) {
    var mixed = (value ^ word) &* 0xBF58_476D_1CE4_E5B9
    mixed ^= mixed >> 29
    value = mixed &* 0x94D0_49BB_1331_11EB ^ (mixed >> 32)
  }
}
