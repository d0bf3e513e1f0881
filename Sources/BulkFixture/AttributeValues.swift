internal import BulkSupport
internal import BulkModel
internal import BulkSQLite
internal import BulkStore

extension AttributeDescription {
  /// `nil` where no values can be drawn; the sizes of binary values are in bytes.
  func values(_ sizes: ClosedRange<Int>?) -> ((inout RepeatableRandom) -> SQLiteValue)? {
    let type = attributeType
    switch type.kind {
    case .integer:
      let range = limits(of: .evaluatedObject, within: type.integerRange ?? .int64)
      return { .integer($0.integer(in: range)) }
    case .boolean: return { .integer($0.below(2)) }
    case .double where type == .float: return { .real(Double(Float($0.unit() * 1000))) }
    case .double: return { .real($0.unit() * 1000) }
    case .decimal: return { .real(Double($0.below(10_000_000)) / 100) }
    case .date: return { .real($0.date()) }
    case .string:
      let text = texts
      let length = length
      return { .text($0.fit(text(&$0), to: length)) }
    case .uri: return { .text(Self.link(&$0)) }
    case .uuid: return { ColumnCoding.value(of: .uuid($0.uuid())) }
    case .binary where isPicture:
      let sizes = sizes ?? 100...400
      return { .blob(Self.picture + $0.bytes($0.size(in: sizes) - Self.picture.count)) }
    case .binary where type == .transformable && sizes == nil:
      return { .blob(Self.archive(of: $0.below(1_000_000))) }
    case .binary:
      let sizes = sizes ?? 16...64
      return { .blob($0.bytes($0.size(in: sizes))) }
    case nil: return nil
    }
  }

  /// A value that only the row with a key has.
  func uniqueValue(_ key: Int64) -> SQLiteValue {
    switch attributeType.kind {
    case .integer, .boolean: return .integer(key)
    case .double, .decimal, .date: return .real(Double(key))
    case .string, .uri:
      let name = "item \(key)"
      return .text(name + String(repeating: "_", count: max(length.lowerBound - name.count, 0)))
    case .uuid, .binary:
      var random = RepeatableRandom(seed: 0, stream: 0, index: key)
      return ColumnCoding.value(of: .uuid(random.uuid()))
    case nil: return .null
    }
  }

  var isPicture: Bool { isNamed("image", "photo", "picture", "thumbnail", "avatar", "icon") }

  private func isNamed(_ parts: String...) -> Bool {
    parts.contains(where: name.lowercased().contains)
  }

  private var texts: (inout RepeatableRandom) -> String {
    if isNamed("body", "text", "content", "description", "comment", "message") {
      return { $0.words(8...36) }
    }
    if isNamed("mail") { return { "person\($0.below(1_000_000))@example.org" } }
    if isNamed("url", "uri", "link", "href") { return Self.link }
    let count = isNamed("title", "name", "subject", "caption", "label") ? 2...5 : 1...2
    return { $0.words(count) }
  }

  private static func link(_ random: inout RepeatableRandom) -> String {
    "https://example.org/items/\(random.below(1_000_000_000))"
  }

  /// A gray PNG file of one pixel; bytes that follow it are not part of the picture.
  private static let picture = [UInt8](
    Data(
      base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB"
        + "2kUIOwAAAABJRU5ErkJggg=="
    ) ?? Data()
  )

  /// The default transformer's bytes of an object: a keyed archive, here of a number.
  private static func archive(of number: Int64) -> [UInt8] {
    BinaryPropertyListWriter.write(
      .dictionary([
        "$archiver": .string(KeyedArchive.archiverName),
        "$objects": .array([.string("$null"), .integer(number)]),
        "$top": .dictionary(["root": .uid(1)]),
        "$version": .integer(100_000),
      ])
    )
  }

  /// The lengths in characters that the model allows.
  private var length: ClosedRange<Int> {
    let range = limits(of: .keyPath("length", of: .evaluatedObject), within: 0...Int64.max)
    let least = min(range.lowerBound, 100_000)
    return Int(least)...Int(max(least, range.upperBound))
  }

  /// The integers of a range that validation allows for the value, or for its length.
  private func limits(
    of subject: ValueExpression,
    within range: ClosedRange<Int64>
  ) -> ClosedRange<Int64> {
    var low = range.lowerBound
    var high = range.upperBound
    for case .comparison(let comparison) in validationPredicates where comparison.left == subject {
      let bound: Double
      switch comparison.right {
      case .constant(.integer(let number)): bound = Double(number)
      case .constant(.double(let number)): bound = number
      default: continue
      }
      if comparison.operator == .greaterThanOrEqualTo {
        low = max(low, Int64(exactly: bound.rounded(.up)) ?? low)
      } else if comparison.operator == .lessThanOrEqualTo {
        high = min(high, Int64(exactly: bound.rounded(.down)) ?? high)
      }
    }
    return low...max(low, high)
  }
}

/// A random number generator that gives the same numbers for the same seed on every machine.
///
/// It is SplitMix64 (Steele, Lea and Flood, “Fast Splittable Pseudorandom Number Generators”, 2014).
struct RepeatableRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A generator for one of many items, independent of what was drawn before.
  init(seed: UInt64, stream: UInt64, index: Int64) {
    state = Self.mix(seed &+ Self.mix(stream &+ Self.mix(UInt64(bitPattern: index))))
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return Self.mix(state)
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, but not including, 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Whether something happens that has a probability; nothing is drawn if it is 0.
  mutating func happens(_ rate: Double) -> Bool { rate > 0 && unit() < rate }

  /// A number from 0 up to, but not including, a bound; the bound must be positive.
  mutating func below(_ bound: Int64) -> Int64 {
    Int64(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  mutating func size(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(below(Int64(range.count)))
  }

  /// Most stored numbers are small; one in two hundred is at a bound of the range.
  mutating func integer(in range: ClosedRange<Int64>) -> Int64 {
    switch below(200) {
    case 0: return range.lowerBound
    case 1: return range.upperBound
    default:
      let low = min(max(range.lowerBound, 0), range.upperBound)
      return low + below(max(min(range.upperBound, 9_999), low) - low + 1)
    }
  }

  /// Seconds since 2001-01-01, from 2010-01-01 to 2026-01-01; one in ten is a whole number.
  mutating func date() -> Double {
    let seconds = 284_083_200 + unit() * 504_835_200
    return below(10) == 0 ? seconds.rounded() : (seconds * 1_000_000).rounded() / 1_000_000
  }

  /// None if the count is negative.
  mutating func bytes(_ count: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(max(count, 0))
    while result.count < count {
      // The bytes are copied within the closure.
      unsafe withUnsafeBytes(of: next().littleEndian) {
        unsafe result.append(contentsOf: $0.prefix(count - result.count))
      }
    }
    return result
  }

  /// Version 4, variant 1.
  mutating func uuid() -> UUID {
    let high = next() & ~0xf000 | 0x4000
    let low = next() & ~(3 << 62) | 1 << 63
    // Both types have sixteen bytes, and each of them any value.
    return UUID(uuid: unsafe unsafeBitCast((high.bigEndian, low.bigEndian), to: uuid_t.self))
  }

  /// Words in several scripts; the first ones are common and are drawn more often.
  mutating func words(_ count: ClosedRange<Int>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count.upperBound * 8)
    for index in 0..<size(in: count) {
      if index > 0 { bytes.append(UInt8(ascii: " ")) }
      let bound = below(5) > 0 ? 19 : Self.words.count
      bytes += Self.words[Int(below(Int64(bound)))]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let words = [
    "meeting", "notes", "from", "the", "garden", "bought", "three", "apples", "and", "a", "letter",
    "for", "Anna", "before", "winter", "we", "walked", "along", "river", "café", "naïve", "Straße",
    "über", "niño", "señor", "résumé", "smörgås", "Łódź", "œuvre", "İstanbul", "Ελλάδα", "θάλασσα",
    "привет", "погода", "книга", "物理", "化学", "会议", "東京", "ありがとう", "안녕하세요", "مرحبا", "שלום",
    "नमस्ते", "ไทย", "👋🏽", "🌧️", "👩‍👩‍👧", "e\u{301}te", "zero\u{200B}width",
  ].map { Array($0.utf8) }

  mutating func fit(_ text: String, to length: ClosedRange<Int>) -> String {
    guard length != 0...Int.max else { return text }
    var result = String(text.prefix(length.upperBound))
    while result.count < length.lowerBound {
      result.append(Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(below(26)))))
    }
    return result
  }
}
