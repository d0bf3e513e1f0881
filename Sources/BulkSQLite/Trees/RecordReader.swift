/// Parses records of a table or an index, validates them against their columns and sums them up.
///
/// Its lists are manually allocated buffers, because an array access can cost as much as a whole record.
///
/// Source: “Record Format”, section 2.1 of SQLite's file format document.
struct RecordReader: ~Copyable {
  /// A field of the record that is being read.
  private struct Field {
    var type = SerialType.null
    var place = 0
  }

  private let pages: TreePages
  /// Whether records end with the row id, as in an index.
  private let endsWithRowID: Bool
  private let fields: UnsafeMutableBufferPointer<Field>
  /// The allowed storage classes of each column, one bit each.
  private let classes: UnsafeMutableBufferPointer<UInt8>
  private let columns: UnsafeMutableBufferPointer<TreeColumn>
  private let numbered: UnsafeMutableBufferPointer<Int>
  /// The columns of all groups, and the end of each group among them.
  private let members: UnsafeMutableBufferPointer<Int>
  private let ends: UnsafeMutableBufferPointer<Int>
  private let groupSums: UnsafeMutableBufferPointer<RowSum>

  init(_ columns: [TreeColumn], groups: [[Int]], endsWithRowID: Bool, _ pages: TreePages) {
    self.pages = pages
    self.endsWithRowID = endsWithRowID
    let count = columns.count + (endsWithRowID ? 1 : 0)
    fields = .copy(of: Array(repeating: Field(), count: count))
    classes = .copy(of: columns.map { $0.classes.reduce(0) { $0 | Self.bit($1) } })
    self.columns = .copy(of: columns)
    numbered = .copy(of: columns.indices.filter { columns[$0].numbers != nil })
    members = .copy(of: groups.flatMap(\.self))
    ends = .copy(of: groups.indices.map { groups[...$0].reduce(0) { $0 + $1.count } })
    groupSums = .copy(of: groups.map { _ in RowSum() })
  }

  deinit {
    fields.free()
    classes.free()
    columns.free()
    numbered.free()
    members.free()
    ends.free()
    groupSums.free()
  }

  /// The sum of each group of columns, with the row id.
  var sums: [RowSum] { Array(groupSums) }

  private static func bit(_ storageClass: Statement.StorageClass) -> UInt8 {
    1 << UInt8(truncatingIfNeeded: storageClass.rawValue)
  }

  /// Reads a record.
  ///
  /// - Parameters:
  ///   - payload: The record.
  ///   - key: The row id, if the record does not end with it.
  /// - Throws: ``TreeDamage`` if the record is invalid.
  func read(_ payload: Payload, key: Int64?) throws(TreeDamage) {
    if payload.firstPage != 0 { try payload.verifyChain(pages) }
    try readHeader(payload)
    for index in numbered.indices { try checkNumber(in: numbered[index], payload) }
    let rowID = if let key { key } else { try integer(fields.count - 1, payload) }
    var member = 0
    for group in ends.indices {
      var digest = ValueDigest(rowID)
      while member < ends[group] {
        try add(members[member], payload, rowID, to: &digest)
        member += 1
      }
      groupSums[group].add(digest.value)
    }
  }

  /// Finds the fields of a record and validates their classes against the columns.
  private func readHeader(_ payload: Payload) throws(TreeDamage) {
    let bytes = payload.local
    var offset = 0
    let size = try bytes.variable(at: &offset)
    guard size <= UInt64(bytes.count) else { throw TreeDamage() }
    let end = Int(size)
    var place = end
    var field = 0
    while offset < end {
      guard field < fields.count, let type = SerialType(try bytes.variable(at: &offset)) else {
        throw TreeDamage()
      }
      if field < classes.count {
        guard classes[field] & Self.bit(type.storageClass) != 0 else { throw TreeDamage() }
      }
      fields[field] = Field(type: type, place: place)
      place += type.length
      field += 1
    }
    guard offset == end, place == payload.count else { throw TreeDamage() }
    // A row written before columns were added lacks them; an index entry has all of its columns.
    guard field == fields.count || !endsWithRowID else { throw TreeDamage() }
    while field < fields.count {
      fields[field] = Field()
      field += 1
    }
  }

  private func integer(_ field: Int, _ payload: Payload) throws(TreeDamage) -> Int64 {
    let field = fields[field]
    guard field.type.storageClass == .integer else { throw TreeDamage() }
    return try payload.withBytes(
      from: field.place,
      count: field.type.length,
      pages,
      field.type.integer
    )
  }

  private func checkNumber(in column: Int, _ payload: Payload) throws(TreeDamage) {
    guard fields[column].type != .null else { return }
    let number = try integer(column, payload)
    guard columns[column].numbers?.contains(number) == true else { throw TreeDamage() }
  }

  private func add(
    _ column: Int,
    _ payload: Payload,
    _ rowID: Int64,
    to digest: inout ValueDigest
  ) throws(TreeDamage) {
    guard !columns[column].isRowID else { return digest.add(rowID) }
    let field = fields[column]
    switch field.type.storageClass {
    case .null: digest.addNull()
    case .integer:
      let number = try integer(column, payload)
      // SQLite stores whole numbers of such a column as integers, and reads them as floating-point numbers.
      if columns[column].affinity == .real {
        digest.add(Double(number))
      } else {
        digest.add(number)
      }
    case .real:
      let number = try payload.withBytes(from: field.place, count: 8, pages) { bytes in
        Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
      }
      digest.add(number)
    case .text, .blob:
      let isText = field.type.storageClass == .text
      try payload.withBytes(from: field.place, count: field.type.length, pages) {
        digest.add($0, isText: isText)
      }
    }
  }
}

extension UnsafeMutableBufferPointer {
  /// A copy of a list, which the caller must free.
  fileprivate static func copy(of list: [Element]) -> UnsafeMutableBufferPointer {
    let result = UnsafeMutableBufferPointer.allocate(capacity: list.count)
    _ = result.initialize(fromContentsOf: list)
    return result
  }

  fileprivate func free() {
    deinitialize()
    deallocate()
  }
}

/// A digest of a row id and some values, in their order and with their classes.
struct ValueDigest {
  private(set) var value: UInt64

  /// Constants that separate the classes: multiples of 2^64 divided by the golden ratio, so far apart
  /// that no small number bridges the difference.
  private enum Tag {
    static let null: UInt64 = 0x9E37_79B9_7F4A_7C15
    static let integer: UInt64 = 0x3C6E_F372_FE94_F82A
    static let real: UInt64 = 0xDAA6_6D2C_7DDF_743F
    static let text: UInt64 = 0x78DD_E6E5_FD29_F054
    static let blob: UInt64 = 0x1715_609F_7C74_6C69
  }

  init(_ rowID: Int64) { value = Self.mixed(UInt64(bitPattern: rowID)) }

  /// Adds NULL.
  mutating func addNull() { value = Self.mixed(value &+ Tag.null) }

  /// Adds an integer.
  mutating func add(_ number: Int64) {
    value = Self.mixed((value &+ Tag.integer) ^ UInt64(bitPattern: number))
  }

  /// Adds a floating-point number.
  mutating func add(_ number: Double) {
    value = Self.mixed((value &+ Tag.real) ^ number.bitPattern)
  }

  /// Adds a text or a blob.
  mutating func add(_ bytes: UnsafeRawBufferPointer, isText: Bool) {
    value = Self.mixed((value &+ (isText ? Tag.text : Tag.blob)) ^ UInt64(bytes.count))
    var offset = 0
    while offset + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      value = Self.mixed(value ^ word)
      offset += 8
    }
    while offset < bytes.count {
      value = Self.mixed(value ^ UInt64(bytes[offset]))
      offset += 1
    }
  }

  /// Mixes every bit of a number into all others.
  ///
  /// Source: the finalizer of SplitMix64, by Guy Steele, Doug Lea and Christine Flood.
  private static func mixed(_ number: UInt64) -> UInt64 {
    var result = number &+ 0x9E37_79B9_7F4A_7C15
    result = (result ^ (result >> 30)) &* 0xBF58_476D_1CE4_E5B9
    result = (result ^ (result >> 27)) &* 0x94D0_49BB_1331_11EB
    return result ^ (result >> 31)
  }
}
