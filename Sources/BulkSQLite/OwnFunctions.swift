/// The part of a linked object that a row holds.
package enum LinkedPart: Int64, Sendable {
  case key = 0
  case entityNumber = 1
}

/// Finds the objects that links lead to, while the rows that hold these are made.
package protocol LinkTargets: AnyObject {
  /// The object that a link leads to; `nil` if none was made from the source object at its end.
  ///
  /// Rows come in the order of their keys, each as often as it likes. An error reaches the writer
  /// of the rows as an error of SQLite that has its text alone.
  func target(
    of link: Int,
    from row: Int64,
    to key: Int64
  ) throws -> (key: Int64, entityNumber: Int64)?
}

extension LinkTargets {
  @inline(__always)
  func number(_ part: LinkedPart, of link: Int, from row: Int64, to key: Int64) throws -> Int64? {
    let found = try target(of: link, from: row, to: key)
    return part == .key ? found?.key : found?.entityNumber
  }
}

extension SQLText {
  /// A part of the object that a link leads to from a source row, in SQL; NULL where there is none.
  ///
  /// See ``Connection/find(_:)``; the keys of the row and of the source object at the end of the link are SQL too.
  package static func linked(_ link: Int, _ part: LinkedPart, row: String, key: String) -> String {
    "bulk_linked(\(link), \(part.rawValue), \(row), \(key))"
  }

  /// A mask made of bits of another one, in SQL; the first bit is the highest one of the first byte.
  ///
  /// The mask of NULL is NULL; a `nil` index is that of a bit that is not set.
  package static func mask(of mask: String, bits count: Int, at indexes: [Int?]) -> String {
    let bytes = indexes.flatMap { index in
      withUnsafeBytes(of: Int32(index ?? -1).bigEndian, Array.init)
    }
    return "bulk_mask(\(mask), \(count), \(SQLiteValue.blob(bytes).literal))"
  }

  /// A value of the row with a key, computed once for all rows that reference the key, unless it is NULL; it must
  /// depend on that alone.
  ///
  /// The site distinguishes the computation from others on the connection. The result may be an operand of any
  /// operator.
  package static func recalled(_ value: String, site: String, key: String) -> String {
    let arguments = "\(quoted(literal: site)), \(key)"
    return "coalesce(bulk_recall(\(arguments)), bulk_keep(\(arguments), \(value)))"
  }
}

extension Connection {
  /// Lets statements find the objects that links lead to, see ``SQLText/linked(_:_:row:key:)``.
  package func find(_ targets: any LinkTargets) throws(SQLiteError) {
    try define("bulk_linked", arguments: 4) { [weak targets] arguments in
      guard arguments.isInteger(at: 3), let part = LinkedPart(rawValue: arguments.int64(at: 1))
      else { return .null }
      let number = try targets?.number(
        part,
        of: Int(arguments.int64(at: 0)),
        from: arguments.int64(at: 2),
        to: arguments.int64(at: 3)
      )
      return number.map { .integer($0) } ?? .null
    }
  }

  func defineOwnFunctions() throws(SQLiteError) {
    try define("bulk_mask", arguments: 3, isDeterministic: true) { arguments in
      if arguments.isNull(at: 0) { return .null }
      let (mask, indexes) = (arguments.bytes(at: 0), arguments.bytes(at: 2))
      return .blob(Self.mask(of: mask, bits: Int(arguments.int64(at: 1)), at: indexes))
    }
    let recalled = RecalledValues()
    try define("bulk_recall", arguments: 2) { arguments in
      RecalledValues.Key(arguments).flatMap(recalled.value) ?? .null
    }
    try define("bulk_keep", arguments: 3) { arguments in
      if let key = RecalledValues.Key(arguments) { recalled.keep(arguments.value(at: 2), key) }
      return nil
    }
  }

  private static func mask(
    of mask: UnsafeRawBufferPointer,
    bits count: Int,
    at indexes: UnsafeRawBufferPointer
  ) -> [UInt8] {
    let bits = indexes.count / 4
    var made = [UInt8](repeating: 0, count: (bits + 7) / 8)
    guard mask.count >= (count + 7) / 8 else { return made }
    for bit in 0..<bits {
      let index = Int(
        Int32(bigEndian: indexes.loadUnaligned(fromByteOffset: bit * 4, as: Int32.self))
      )
      guard index >= 0, mask[index / 8] << (index % 8) & 0x80 != 0 else { continue }
      made[bit / 8] |= 0x80 >> UInt8(bit % 8)
    }
    return made
  }
}

/// A cache of values that statements compute from a row that many rows reference.
///
/// It keeps the values that were used most recently, within a limit: a value that is needed again within
/// some thousand others is not computed again.
private final class RecalledValues {
  struct Key: Hashable {
    let site: String
    let row: Int64

    /// `nil` if the second argument is not a key.
    init?(_ arguments: FunctionArguments) {
      guard arguments.isInteger(at: 1), case .text(let site) = arguments.value(at: 0) else {
        return nil
      }
      (self.site, row) = (site, arguments.int64(at: 1))
    }
  }

  private var recent: [Key: SQLiteValue] = [:]
  private var older: [Key: SQLiteValue] = [:]
  /// The approximate size of ``recent`` in bytes.
  private var bytes = 0

  /// The size limit of each of the two tables in bytes.
  private static let byteLimit = 512 * 1024
  /// The approximate overhead of an entry in bytes, without its text.
  private static let overhead = 128

  func value(_ key: Key) -> SQLiteValue? {
    if let value = recent[key] { return value }
    guard let value = older[key] else { return nil }
    keep(value, key)
    return value
  }

  func keep(_ value: SQLiteValue, _ key: Key) {
    guard let size = Self.size(of: value) else { return }
    if bytes + size > Self.byteLimit {
      older = recent
      recent = [:]
      bytes = 0
    }
    bytes += size
    recent[key] = value
  }

  /// The approximate size of a value in bytes; `nil` if it is not kept.
  private static func size(of value: SQLiteValue) -> Int? {
    switch value {
    case .integer, .real: overhead
    case .text(let text): text.utf8.count <= byteLimit / 64 ? overhead + text.utf8.count : nil
    // A text that is not well formed would come back changed.
    case .null, .blob, .streamed: nil
    }
  }
}
