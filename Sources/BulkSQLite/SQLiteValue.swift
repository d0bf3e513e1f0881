/// A value in one of SQLite's five storage classes, or the location of one too large to hold in memory.
package enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
  /// Indirect, because it is large and rare: the others take 24 bytes.
  indirect case streamed(StreamedValue)
}

extension SQLiteValue {
  /// The bytes of a text or data in memory; 0 for other values.
  package var contentBytes: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    case .null, .integer, .real, .streamed: 0
    }
  }

  /// Text with a NUL gets it by a function, because an SQL text ends at a NUL, and the bytes of a cast BLOB
  /// depend on the encoding of the database.
  package var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value): SQLiteValue.literal(of: value)
    case .text(let value) where value.utf8.contains(0): SQLiteValue.literal(ofTextWithNUL: value)
    case .text(let value): SQLText.quoted(literal: value)
    case .blob(let bytes): "x'" + bytes.map(SQLiteValue.hexadecimal).joined() + "'"
    case .streamed(let value): "zeroblob(\(value.count))"
    }
  }

  /// A text in which a character that it lacks stands for NUL until SQLite replaces it.
  private static func literal(ofTextWithNUL value: String) -> String {
    let scalars = Set(value.unicodeScalars)
    guard
      let standIn = (1...0xFFFF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init)
        .first(where: { $0 != "'" && !scalars.contains($0) })
    else { return "CAST(\(SQLiteValue.blob(Array(value.utf8)).literal) AS TEXT)" }
    var text = String.UnicodeScalarView()
    for scalar in value.unicodeScalars { text.append(scalar == "\0" ? standIn : scalar) }
    let quoted = SQLText.quoted(literal: String(text))
    return "replace(\(quoted), char(\(standIn.value)), char(0))"
  }

  private static func literal(of value: Double) -> String {
    if value.isNaN { return "NULL" }
    if value.isInfinite { return value < 0 ? "-9e999" : "9e999" }
    // Halves, quarters and the like have a short decimal text that is exact.
    let isShort = abs(value) < 0x1p40 && (value * 1024).rounded() == value * 1024
    return isShort ? value.description : product(for: value)
  }

  /// A number as an odd integer, multiplied or divided by powers of two.
  ///
  /// SQLite does not convert every decimal text to the nearest number, but it reads integers below 2^53
  /// exactly, and every operation from there to the number is exact.
  private static func product(for value: Double) -> String {
    var whole = value.significand
    var exponent = Int(value.exponent)
    while whole.rounded() != whole {
      whole *= 2
      exponent -= 1
    }
    let step = 52
    let sign = exponent < 0 ? " / " : " * "
    var left = abs(exponent)
    var text = exactText(of: Int64(value.sign == .minus ? -whole : whole))
    while left > 0 {
      text += sign + exactText(of: 1 << min(left, step))
      left -= step
    }
    return "(\(text))"
  }

  private static func exactText(of whole: Int64) -> String { "\(whole).0" }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16)
    return text.count == 1 ? "0" + text : text
  }
}

/// A binary value too large to hold in memory: it stays where it is, and is copied from there once the row
/// that gets it has been inserted.
package struct StreamedValue: Hashable, Sendable {
  package let source: BlobHandle.Location
  /// The number of bytes at its beginning to skip.
  package let skipped: Int
  /// The bytes that precede the copied ones.
  package let prefix: [UInt8]
  /// In bytes.
  package let count: Int

  package init(
    _ source: BlobHandle.Location,
    count sourceCount: Int,
    skipping skipped: Int,
    after prefix: [UInt8]
  ) {
    self.source = source
    self.skipped = skipped
    self.prefix = prefix
    count = prefix.count + sourceCount - skipped
  }
}

extension SQLiteValue {
  /// Hashes the value so that equal numbers agree, and texts that have the same bytes.
  package func hashBytes(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .integer(let number): Self.hash(number, &hasher)
    case .real(let number): Self.hash(number, &hasher)
    case .text(var text):
      text.withUTF8 { Self.hash(3, UnsafeRawBufferPointer($0), &hasher) }
    case .blob(let bytes): bytes.withUnsafeBytes { Self.hash(4, $0, &hasher) }
    case .streamed(let value):
      hasher.combine(5 as UInt8)
      hasher.combine(value)
    }
  }

  fileprivate static func hash(_ number: Int64, _ hasher: inout Hasher) {
    hasher.combine(1 as UInt8)
    hasher.combine(number)
  }

  fileprivate static func hash(_ number: Double, _ hasher: inout Hasher) {
    if let whole = Int64(exactly: number) { return hash(whole, &hasher) }
    hasher.combine(2 as UInt8)
    hasher.combine(number.bitPattern)
  }

  fileprivate static func hash(
    _ kind: UInt8,
    _ bytes: UnsafeRawBufferPointer,
    _ hasher: inout Hasher
  ) {
    hasher.combine(kind)
    hasher.combine(bytes.count)
    hasher.combine(bytes: bytes)
  }
}

extension Statement {
  /// Hashes a column of the current row as its value would be, without making one; returns whether it is NULL.
  package func hashValue(
    at column: Int32,
    into first: inout Hasher,
    _ second: inout Hasher
  ) -> Bool {
    func feed(_ body: (inout Hasher) -> Void) {
      body(&first)
      body(&second)
    }
    switch storageClass(at: column) {
    case .null:
      feed { $0.combine(0 as UInt8) }
      return true
    case .integer:
      let number = int64(at: column)
      feed { SQLiteValue.hash(number, &$0) }
    case .real:
      let number = double(at: column)
      feed { SQLiteValue.hash(number, &$0) }
    case .text:
      let bytes = utf8(at: column)
      feed { SQLiteValue.hash(3, bytes, &$0) }
    case .blob:
      let bytes = self.bytes(at: column)
      feed { SQLiteValue.hash(4, bytes, &$0) }
    }
    return false
  }
}

/// The conversion of a column's values by SQLite, determined by the column's declared type.
///
/// Source: “Determination Of Column Affinity”, section 3.1 of SQLite's datatype document.
package enum ColumnAffinity: Sendable {
  case integer, text, blob, real, numeric

  package init(declaredType: String) {
    // SQLite takes capital and small letters of ASCII as equal, and no others.
    let type = declaredType.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
    func has(_ words: String...) -> Bool {
      words.contains { word in type.indices.contains { type[$0...].starts(with: word.utf8) } }
    }
    if has("INT") {
      self = .integer
    } else if has("CHAR", "CLOB", "TEXT") {
      self = .text
    } else if type.isEmpty || has("BLOB") {
      self = .blob
    } else if has("REAL", "FLOA", "DOUB") {
      self = .real
    } else {
      self = .numeric
    }
  }
}
