import BulkSQLite

/// Numbers and values that are drawn from the bytes of an input; zeros once these are used up.
struct Draw {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether all bytes are used up.
  var isEmpty: Bool { index >= bytes.count }

  mutating func byte() -> UInt8 {
    guard index < bytes.count else { return 0 }
    defer { index += 1 }
    return bytes[index]
  }

  mutating func bool() -> Bool { byte() & 1 == 1 }

  /// A number from 0 up to a bound, at most 65,536.
  mutating func number(below bound: Int) -> Int {
    bound <= 256 ? Int(byte()) % bound : (Int(byte()) << 8 | Int(byte())) % bound
  }

  mutating func one<T>(of choices: [T]) -> T { choices[number(below: choices.count)] }

  /// Numbers at which integers change their size, or reals cease to hold them.
  private static let corners: [Int64] = [
    .min, .min + 1, .max, .max - 1, 1 << 47, 1 << 47 - 1, -1 << 47, -1 << 47 - 1, 1 << 53 + 1,
    1 << 31, 1 << 31 - 1, -1 << 31, -1 << 31 - 1, 1 << 23, -1 << 23 - 1, 1 << 15, 127, -128, -129,
  ]

  mutating func integer() -> Int64 {
    switch number(below: 6) {
    case 0, 1: return Int64(number(below: 4))
    case 2: return Int64(Int8(bitPattern: byte()))
    case 3: return one(of: Self.corners)
    default:
      var bits = UInt64(byte())
      for _ in 0..<number(below: 8) { bits = bits << 8 | UInt64(byte()) }
      return bool() ? -1 &- Int64(bitPattern: bits) : Int64(bitPattern: bits)
    }
  }

  private static let reals: [Double] = [
    .nan, .infinity, -.infinity, -0.0, 0.5, 1e15, 0x1p47, 0x1p53, 0x1p63, -0x1p63,
    .leastNonzeroMagnitude, 1e300,
  ]

  mutating func real() -> Double {
    switch number(below: 3) {
    case 0: return one(of: Self.reals)
    case 1: return Double(integer())
    default:
      var bits: UInt64 = 0
      for _ in 0..<8 { bits = bits << 8 | UInt64(byte()) }
      return Double(bitPattern: bits)
    }
  }

  /// A size in bytes, seldom that of several pages.
  private mutating func size() -> Int {
    switch number(below: 16) {
    case 0: number(below: 65_536) * 3
    case 1, 2: number(below: 5_000)
    case 3: 0
    default: number(below: 40)
    }
  }

  private static let texts = [
    "", "12", " 7 ", "1e3", "-0.5", "abc", "-0", "0x10", "9223372036854775807", "1e400", "nan",
    "9223372036854775808", "1_000", "\u{0}", "12\u{0}3", "é", "𝄞", "\u{feff}a", "１",
  ]

  mutating func value() -> DrawnValue {
    switch number(below: 8) {
    case 0: return .plain(.null)
    case 1, 2: return .plain(.integer(integer()))
    case 3: return .plain(.real(real()))
    case 4: return .plain(.text(one(of: Self.texts)))
    case 5:
      let part = one(of: Self.texts)
      return .plain(.text(String(repeating: part, count: size() / max(part.utf8.count, 1))))
    case 6:
      return .rawText((0..<number(below: 12)).map { _ in byte() })
    default:
      return .plain(.blob([UInt8](repeating: byte(), count: size())))
    }
  }
}

/// A value of a row.
enum DrawnValue: Hashable {
  case plain(SQLiteValue)
  /// A text of any bytes.
  case rawText([UInt8])

  /// The value as it is bound to a parameter.
  var bound: SQLiteValue {
    switch self {
    case .plain(let value): value
    case .rawText(let bytes): .blob(bytes)
    }
  }

  /// About the bytes that it takes.
  var size: Int {
    switch bound {
    case .null: 8
    case .integer, .real, .streamed: 8
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    }
  }
}

/// How a drawn database file is made.
struct DrawnFile {
  let pageSize: Int
  let vacuum: Int

  init(_ draw: inout Draw) {
    pageSize = 512 << draw.number(below: 8)
    vacuum = draw.number(below: 3)
  }

  /// Opens it, or makes it.
  func open(_ path: String, _ access: Connection.Access = .readWrite) throws -> Connection {
    let connection = try Connection(path: path, access: access)
    try connection.execute("PRAGMA page_size = \(pageSize)")
    try connection.execute("PRAGMA auto_vacuum = \(vacuum)")
    let isDurable = if case .recorded = access { true } else { false }
    try connection.execute("PRAGMA journal_mode = \(isDurable ? "TRUNCATE" : "MEMORY")")
    try connection.execute("PRAGMA synchronous = OFF")
    return connection
  }
}

/// A difference between two ways of writing, or a file that is damaged.
struct Finding: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
