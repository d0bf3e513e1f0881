extension [UInt8] {
  /// Appends a number's bytes, least significant first.
  mutating func append(littleEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// The little-endian number at an offset; bytes beyond the end are zero.
  func number<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type) -> Number {
    var number = Number.zero
    Swift.withUnsafeMutableBytes(of: &number) { target in
      let end = Swift.min(count, offset + target.count)
      if offset < end { target.copyBytes(from: self[offset..<end]) }
    }
    return Number(littleEndian: number)
  }
}
