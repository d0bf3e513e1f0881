/// The keys of all rows of a table that satisfy conditions, or the values of a column by key, in memory.
///
/// Many look-ups cost less with a list than when each reads a page.
final class ListedRows {
  struct Contents: Hashable {
    let root: UInt32
    let conditions: [RecordCopy.Condition]
    /// The column; `nil` for keys alone.
    let column: Int?
  }

  /// The values of consecutive keys, each a number of bytes that its block needs.
  private struct Block {
    static let keys = 1 << 12

    /// The tags of all keys, and then their values.
    var bytes: UnsafeMutableRawPointer?
    /// The number that is taken from all values, and the bytes of what is left.
    var base: UInt64 = 0
    var width = 0

    @inline(__always)
    func tag(_ index: Int) -> Tag {
      bytes.map { $0.load(fromByteOffset: index, as: Tag.self) } ?? .noRow
    }

    @inline(__always)
    func bits(_ index: Int) -> UInt64 {
      guard let values = bytes.map({ $0 + Self.keys }) else { return 0 }
      let position = index * width
      let difference =
        switch width {
        case 0: UInt64(0)
        case 1: UInt64(values.load(fromByteOffset: position, as: UInt8.self))
        case 2: UInt64(values.load(fromByteOffset: position, as: UInt16.self))
        case 4: UInt64(values.load(fromByteOffset: position, as: UInt32.self))
        default: values.load(fromByteOffset: position, as: UInt64.self)
        }
      return base &+ difference
    }
  }

  /// What a value is; its bits are a number, or the address of a text.
  private enum Tag: UInt8 {
    case noRow
    case null
    case integer
    case real
    case text
    case validText
    case blob
  }

  /// The size of the parts in which memory for texts is allocated, in bytes; larger texts are not listed.
  private static let textPart = 1 << 16

  private let column: Int?
  private var keys: KeySet
  private var first: Int64 = 0
  private var blocks: UnsafeMutableBufferPointer<Block>
  private var texts: [UnsafeMutableRawPointer] = []
  /// The bytes of the last part of ``texts`` that are used.
  private var used = textPart
  /// The bytes that may still be allocated.
  private var left: Int
  private(set) var bytes = 0

  /// Reads the whole table; `nil` if the list does not fit into some bytes, or a row cannot be read.
  init?(_ contents: Contents, _ records: SourceRecords, within limit: Int) {
    column = contents.column
    keys = KeySet(within: column == nil ? limit : 0)
    // Keys may lie far apart, which leaves blocks empty.
    let directory = column == nil ? 0 : limit / Block.keys
    blocks = .allocate(capacity: directory)
    blocks.initialize(repeating: Block())
    left = limit - directory * MemoryLayout<Block>.stride
    guard (try? list(records)) == true else { return nil }
    bytes = column == nil ? keys.bytes : limit - left
  }

  deinit {
    for block in blocks { block.bytes?.deallocate() }
    blocks.deallocate()
    for part in texts { part.deallocate() }
  }

  @inline(__always)
  func contains(_ key: Int64) -> Bool {
    if column == nil { return keys.contains(key) }
    let (block, index) = position(of: key)
    return block < blocks.count && blocks[block].tag(index) != .noRow
  }

  /// The value of the row with a key: NULL if there is none, `nil` if it needs SQL.
  @inline(__always)
  func value(ofRow key: Int64, as kind: RecordProgram.Kind) -> RecordValue? {
    let (number, index) = position(of: key)
    guard number < blocks.count else { return .null }
    let block = blocks[number]
    let tag = block.tag(index)
    switch tag {
    case .noRow, .null: return .null
    case .integer: return RecordValue.integer(Int64(bitPattern: block.bits(index))).read(as: kind)
    case .real: return RecordValue.real(Double(bitPattern: block.bits(index))).read(as: kind)
    case .text, .validText:
      guard kind == .text || kind == .validText && tag == .validText,
        let address = UnsafeRawPointer(bitPattern: UInt(block.bits(index)))
      else { return nil }
      let size = Int(address.load(as: UInt32.self))
      return .text(UnsafeRawBufferPointer(start: address + MemoryLayout<UInt32>.size, count: size))
    case .blob: return nil
    }
  }

  /// The block of a key, or a number beyond all blocks, and its position in there.
  @inline(__always)
  private func position(of key: Int64) -> (block: Int, index: Int) {
    // A key before the first one is beyond all blocks, too.
    let distance = UInt64(bitPattern: key &- first)
    return (Int(distance / UInt64(Block.keys)), Int(distance % UInt64(Block.keys)))
  }

  /// Returns whether all rows fit.
  private func list(_ records: SourceRecords) throws(TreeDamage) -> Bool {
    var open = OpenBlock()
    try records.cursor.seek(.min)
    while let row = try records.cursor.next() {
      guard let bytes = try records.record(of: row), let isTaken = try records.open(row.key, bytes)
      else { return false }
      if !isTaken { continue }
      guard let column else {
        guard keys.insert(row.key) else { return false }
        continue
      }
      if open.isFirst { first = row.key }
      let (block, index) = position(of: row.key)
      guard block < blocks.count else { return false }
      if block != open.number, !close(&open, for: block) { return false }
      guard add(records.value(of: column, bytes), at: index, to: &open) else { return false }
    }
    return close(&open, for: blocks.count)
  }

  /// The block that is being filled, with values of eight bytes.
  private struct OpenBlock {
    var number = 0
    var isFirst = true
    var tags = [Tag](repeating: .noRow, count: Block.keys)
    var values = [UInt64](repeating: 0, count: Block.keys)
  }

  /// Returns whether there is space for a text.
  private func add(_ value: RecordValue?, at index: Int, to open: inout OpenBlock) -> Bool {
    open.isFirst = false
    switch value {
    case nil: open.tags[index] = .blob
    case .null?: open.tags[index] = .null
    case .integer(let number)?:
      (open.tags[index], open.values[index]) = (.integer, UInt64(bitPattern: number))
    case .real(let number)?: (open.tags[index], open.values[index]) = (.real, number.bitPattern)
    case .text(let text)?:
      guard let address = keep(text) else { return false }
      open.tags[index] = text.isValidText ? .validText : .text
      open.values[index] = UInt64(UInt(bitPattern: address))
    }
    return true
  }

  /// Keeps a block, with integers in as few bytes as they need, and begins another one; `false` if there is no space.
  private func close(_ open: inout OpenBlock, for number: Int) -> Bool {
    if open.isFirst { return true }
    let held = open.tags.indices.filter { open.tags[$0].rawValue > Tag.null.rawValue }
    let areIntegers = held.allSatisfy { open.tags[$0] == .integer }
    let integers = areIntegers ? held.map { Int64(bitPattern: open.values[$0]) } : []
    let base = UInt64(bitPattern: integers.min() ?? 0)
    let range = UInt64(bitPattern: integers.max() ?? 0) &- base
    let width =
      !areIntegers
      ? 8 : range == 0 ? 0 : range <= 0xFF ? 1 : range <= 0xFFFF ? 2 : range <= 0xFFFF_FFFF ? 4 : 8
    guard let bytes = allocate(Block.keys * (1 + width)) else { return false }
    for index in open.tags.indices {
      bytes.storeBytes(of: open.tags[index], toByteOffset: index, as: Tag.self)
      let difference = open.values[index] &- base
      let address = bytes + Block.keys + index * width
      switch width {
      case 0: break
      case 1: address.storeBytes(of: UInt8(truncatingIfNeeded: difference), as: UInt8.self)
      case 2: address.storeBytes(of: UInt16(truncatingIfNeeded: difference), as: UInt16.self)
      case 4: address.storeBytes(of: UInt32(truncatingIfNeeded: difference), as: UInt32.self)
      default: address.storeBytes(of: difference, as: UInt64.self)
      }
      (open.tags[index], open.values[index]) = (.noRow, 0)
    }
    blocks[open.number] = Block(bytes: bytes, base: base, width: width)
    open.number = number
    return true
  }

  /// Keeps a text behind its size.
  private func keep(_ text: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer? {
    let size = MemoryLayout<UInt32>.size
    // Sizes are aligned.
    let needed = (size + text.count + size - 1) / size * size
    guard needed <= Self.textPart else { return nil }
    if used + needed > Self.textPart {
      guard let part = allocate(Self.textPart) else { return nil }
      texts.append(part)
      used = 0
    }
    guard let part = texts.last else { return nil }
    let address = part + used
    used += needed
    address.storeBytes(of: UInt32(text.count), as: UInt32.self)
    UnsafeMutableRawBufferPointer(start: address + size, count: text.count).copyMemory(from: text)
    return address
  }

  private func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
    guard count <= left else { return nil }
    left -= count
    return .allocate(byteCount: count, alignment: 16)
  }
}
