internal import CBulkSQLite

extension SQLText {
  /// A mask made of bits of another one, in SQL; the first bit is the highest one of the first byte.
  ///
  /// - Parameters:
  ///   - mask: The other mask in SQL; that of NULL is NULL. Bits beyond its end are not set.
  ///   - count: The number of its bits.
  ///   - places: The place of each bit in the other mask; `nil` for one that is not set.
  /// - Returns: The mask in SQL.
  package static func mask(of mask: String, bits count: Int, at places: [Int?]) -> String {
    let bytes = places.flatMap { place in
      withUnsafeBytes(of: Int32(place ?? -1).bigEndian, Array.init)
    }
    return "bulk_mask(\(mask), \(count), \(SQLiteValue.blob(bytes).literal))"
  }
}

/// The function of ``SQLText/mask(of:bits:at:)``.
enum MaskFunction {
  /// Registers the function on a connection.
  static func register(on handle: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      handle,
      "bulk_mask",
      3,
      SQLITE_UTF8 | SQLITE_DIRECTONLY | SQLITE_DETERMINISTIC,
      nil,
      { context, _, arguments in
        guard let arguments, sqlite3_value_type(arguments[0]) != SQLITE_NULL else { return }
        let made = MaskFunction.mask(
          of: MaskFunction.bytes(arguments[0]),
          bits: Int(sqlite3_value_int64(arguments[1])),
          at: MaskFunction.bytes(arguments[2])
        )
        // SQLite takes no bytes at all for NULL.
        guard !made.isEmpty else { return sqlite3_result_zeroblob(context, 0) }
        sqlite3_result_blob(context, made, Int32(made.count), bulk_sqlite_transient())
      },
      nil,
      nil,
      nil
    )
  }

  private static func bytes(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
    let start = sqlite3_value_blob(value)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  private static func mask(
    of mask: UnsafeRawBufferPointer,
    bits count: Int,
    at places: UnsafeRawBufferPointer
  ) -> [UInt8] {
    let bits = places.count / 4
    var made = [UInt8](repeating: 0, count: (bits + 7) / 8)
    guard mask.count >= (count + 7) / 8 else { return made }
    for bit in 0..<bits {
      let place = Int(
        Int32(bigEndian: places.loadUnaligned(fromByteOffset: bit * 4, as: Int32.self))
      )
      guard place >= 0, mask[place / 8] << (place % 8) & 0x80 != 0 else { continue }
      made[bit / 8] |= 0x80 >> UInt8(bit % 8)
    }
    return made
  }
}
