/// Writes the entries of a run, in their order.
struct RunWriter: ~Copyable {
  /// The bytes that are written at once.
  private static let blockSize = 1 << 16

  private let file: RunFile
  private let width: Int
  private let start: Int64
  private var end: Int64
  private var count = 0
  private let base: UnsafeMutableRawPointer
  private var used = 0
  /// The entry before.
  private let former: UnsafeMutablePointer<UInt64>

  init(_ file: RunFile, from start: Int64, width: Int) {
    self.file = file
    self.width = width
    (self.start, end) = (start, start)
    base = .allocate(byteCount: Self.blockSize + RunFile.mostBytes * width, alignment: 16)
    former = .allocate(capacity: width)
    former.initialize(repeating: 0, count: width)
  }

  deinit {
    base.deallocate()
    former.deallocate()
  }

  /// Writes an entry.
  @inline(__always)
  mutating func append(_ entry: UnsafePointer<UInt64>) throws(SQLiteError) {
    for column in 0..<width {
      let difference = Int64(bitPattern: entry[column] &- former[column])
      former[column] = entry[column]
      var rest = UInt64(bitPattern: difference << 1 ^ difference >> 63)
      while rest >= 0x80 {
        let byte = UInt8(truncatingIfNeeded: rest) | 0x80
        base.storeBytes(of: byte, toByteOffset: used, as: UInt8.self)
        used += 1
        rest >>= 7
      }
      base.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: used, as: UInt8.self)
      used += 1
    }
    count += 1
    if used >= Self.blockSize { try flush() }
  }

  /// Ends the run.
  mutating func finish() throws(SQLiteError) -> RunFile.Run {
    try flush()
    return RunFile.Run(offset: start, size: end - start, count: count)
  }

  private mutating func flush() throws(SQLiteError) {
    end = try file.append(UnsafeRawBufferPointer(start: base, count: used))
    used = 0
  }
}
