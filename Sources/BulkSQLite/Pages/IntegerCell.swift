/// The cell of an index's entry over integers, as it is made before it is put into its page.
struct IntegerCell: ~Copyable {
  private let hasShortIntegers: Bool
  private let base: UnsafeMutableRawPointer
  private var types = 0
  private var end: Int
  /// Where the first value is.
  private let start: Int

  /// - Parameters:
  ///   - width: The number of integers, at most 16.
  ///   - layout: The layout of the file.
  init(width: Int, _ layout: PageLayout) {
    hasShortIntegers = layout.hasShortIntegers
    // The sizes of record and header and all types have one byte each.
    start = 2 + width
    end = start
    base = .allocate(byteCount: start + 8 * (width + 1), alignment: 16)
  }

  deinit { base.deallocate() }

  /// Begins a cell.
  @inline(__always)
  mutating func begin() {
    types = 2
    end = start
  }

  @inline(__always)
  mutating func addNull() { add(type: 0) }

  @inline(__always)
  mutating func add(_ value: Int64) {
    let magnitude = UInt64(bitPattern: value < 0 ? ~value : value)
    if magnitude <= 127 {
      if hasShortIntegers, magnitude <= 1, value >= 0 {
        return add(type: 8 + UInt8(truncatingIfNeeded: value))
      }
      return add(value, 1, type: 1)
    }
    if magnitude <= 32_767 { return add(value, 2, type: 2) }
    if magnitude <= 8_388_607 { return add(value, 3, type: 3) }
    if magnitude <= 2_147_483_647 { return add(value, 4, type: 4) }
    if magnitude <= 140_737_488_355_327 { return add(value, 6, type: 5) }
    add(value, 8, type: 6)
  }

  /// Passes on the cell, whose integers are all there.
  @inline(__always)
  mutating func cell() -> UnsafeRawBufferPointer {
    base.storeBytes(of: UInt8(truncatingIfNeeded: end - 1), as: UInt8.self)
    base.storeBytes(of: UInt8(truncatingIfNeeded: start - 1), toByteOffset: 1, as: UInt8.self)
    return UnsafeRawBufferPointer(start: base, count: end)
  }

  @inline(__always)
  private mutating func add(type: UInt8) {
    base.storeBytes(of: type, toByteOffset: types, as: UInt8.self)
    types += 1
  }

  @inline(__always)
  private mutating func add(_ value: Int64, _ size: Int, type: UInt8) {
    add(type: type)
    // The most significant bytes are shifted out, and what follows is overwritten.
    let word = (value &<< Int64(64 - 8 * size)).bigEndian
    base.storeBytes(of: word, toByteOffset: end, as: Int64.self)
    end += size
  }
}
