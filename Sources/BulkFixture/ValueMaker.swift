internal import BulkCoding
internal import BulkModel
internal import BulkPlatform
internal import BulkSQLite
internal import BulkStore

/// Makes the values of one column of an attribute.
struct ValueMaker: Sendable {
  private enum Form: Sendable {
    case integer(ClosedRange<Int64>)
    case boolean
    case number(isSingle: Bool)
    case decimal
    case date
    case text(TextMaker)
    case uuid
    case picture(ClosedRange<Int>)
    case bytes(ClosedRange<Int>)
    case archive
    case null
  }

  private let form: Form
  /// The fraction of the values that are nil.
  private let nilRate: Double
  /// Whether all values must differ, so that each contains its row's key.
  private let isUnique: Bool
  /// The fraction of the rows that repeat the value of the first row.
  private let duplicateRate: Double
  /// The fraction of the values that are in files of their own.
  private let externalRate: Double
  /// Whether a byte precedes the value and marks it as stored in its row.
  private let isPrefixed: Bool

  /// 2010-01-01 and 2026-01-01, in seconds since 2001-01-01.
  private static let dates = 284_083_200.0...788_918_400.0

  init(
    _ attribute: AttributeDescription,
    key: String,
    request: FixtureRequest,
    isUnique: Bool
  ) {
    let isPicture = ["image", "photo", "picture", "thumbnail", "avatar", "icon"]
      .contains(where: attribute.name.lowercased().contains)
    form = Self.form(attribute, size: request.sizes[key], isPicture: isPicture)
    self.isUnique = isUnique
    duplicateRate = isUnique ? request.dirt.rate(.duplicates) : 0
    nilRate =
      attribute.isOptional
      ? request.nilRates[key] ?? (isUnique ? 0 : isPicture ? 0.7 : 0.1)
      : request.dirt.rate(.nulls)
    externalRate = request.externalRates[key] ?? 0
    isPrefixed = attribute.allowsExternalBinaryDataStorage
  }

  private static func form(
    _ attribute: AttributeDescription,
    size: ClosedRange<Int>?,
    isPicture: Bool
  ) -> Form {
    let limits = AttributeLimits(attribute)
    let type = attribute.attributeType
    switch type.kind {
    case .integer: return .integer(limits.integers(within: type.integerRange ?? .int64))
    case .boolean: return .boolean
    case .double: return .number(isSingle: type == .float)
    case .decimal: return .decimal
    case .date: return .date
    case .string: return .text(TextMaker(name: attribute.name, length: limits.length))
    case .uri: return .text(TextMaker(name: "url", length: 0...Int.max))
    case .uuid: return .uuid
    case .binary:
      if isPicture { return .picture(size ?? 100...400) }
      if let size { return .bytes(size) }
      return type == .transformable ? .archive : .bytes(16...64)
    case nil: return .null
    }
  }

  /// The value of the row with a key.
  func value(key: Int64, firstKey: Int64, _ random: inout RepeatableRandom) -> SQLiteValue {
    if nilRate > 0, random.unit() < nilRate { return .null }
    guard isUnique else { return plain(&random) }
    let repeats = duplicateRate > 0 && random.unit() < duplicateRate
    return unique(key: repeats ? firstKey : key)
  }

  private func plain(_ random: inout RepeatableRandom) -> SQLiteValue {
    switch form {
    case .integer(let range): .integer(Self.draw(range, &random))
    case .boolean: .integer(random.below(2))
    case .number(let isSingle):
      .real(isSingle ? Double(Float(random.unit() * 1000)) : random.unit() * 1000)
    case .decimal: .real(Double(random.below(10_000_000)) / 100)
    case .date: .real(Self.date(&random))
    case .text(let maker): .text(maker.text(&random))
    case .uuid: .blob(Self.uuid(&random))
    case .picture(let sizes): .blob(PictureMaker.png(size: Self.draw(sizes, &random), &random))
    case .bytes(let sizes): .blob(Self.bytes(Self.draw(sizes, &random), &random))
    case .archive: .blob(Self.archive(of: random.below(1_000_000)))
    case .null: .null
    }
  }

  /// A value that only the row with a key has.
  private func unique(key: Int64) -> SQLiteValue {
    switch form {
    case .integer, .boolean: return .integer(key)
    case .number, .decimal, .date: return .real(Double(key))
    case .text(let maker):
      let name = "item \(key)"
      let missing = max(maker.length.lowerBound - name.count, 0)
      return .text(name + String(repeating: "_", count: missing))
    case .uuid, .picture, .bytes, .archive:
      var random = RepeatableRandom(seed: 0, stream: 0, index: key)
      return .blob(Self.uuid(&random))
    case .null: return .null
    }
  }

  /// A value as its column holds it: the bytes themselves, or the name of a new file with them.
  func stored(
    _ value: SQLiteValue,
    files: String,
    _ random: inout RepeatableRandom
  ) throws -> SQLiteValue {
    guard isPrefixed, case .blob(let bytes) = value else { return value }
    guard externalRate > 0, random.unit() < externalRate else { return .blob([1] + bytes) }
    let name = Self.uuidText(&random)
    try Data(bytes).write(to: URL(fileURLWithPath: "\(files)/\(name)", isDirectory: false))
    return .blob(ExternalBinaryData.reference(to: name))
  }

  private static func draw(_ range: ClosedRange<Int64>, _ random: inout RepeatableRandom) -> Int64 {
    // Most stored numbers are small; one in two hundred is at a bound of the allowed range.
    switch random.below(200) {
    case 0: return range.lowerBound
    case 1: return range.upperBound
    default:
      let low = max(range.lowerBound, 0)
      let high = max(min(range.upperBound, 9_999), low)
      return low + random.below(high - low + 1)
    }
  }

  private static func draw(_ range: ClosedRange<Int>, _ random: inout RepeatableRandom) -> Int {
    range.lowerBound + Int(random.below(Int64(range.upperBound - range.lowerBound) + 1))
  }

  private static func date(_ random: inout RepeatableRandom) -> Double {
    let seconds = dates.lowerBound + random.unit() * (dates.upperBound - dates.lowerBound)
    return random.below(10) == 0 ? seconds.rounded() : (seconds * 1_000_000).rounded() / 1_000_000
  }

  static func uuid(_ random: inout RepeatableRandom) -> [UInt8] {
    var result = bytes(16, &random)
    // The bits of a random UUID: version 4, variant 1.
    result[6] = result[6] & 0x0f | 0x40
    result[8] = result[8] & 0x3f | 0x80
    return result
  }

  static func uuidText(_ random: inout RepeatableRandom) -> String {
    let bytes = uuid(&random)
    // There are sixteen bytes.
    let tuple = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: uuid_t.self) }
    return UUID(uuid: tuple).uuidString
  }

  /// The default transformer's bytes of an object: a keyed archive, here of a number.
  private static func archive(of number: Int64) -> [UInt8] {
    BinaryPropertyListWriter.write(
      .dictionary([
        "$archiver": .string("NSKeyedArchiver"),
        "$objects": .array([.string("$null"), .integer(number)]),
        "$top": .dictionary(["root": .uid(1)]),
        "$version": .integer(100_000),
      ])
    )
  }

  private static func bytes(_ count: Int, _ random: inout RepeatableRandom) -> [UInt8] {
    // Every byte below `count` is initialized.
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      for place in 0..<count { unsafe buffer[place] = UInt8(truncatingIfNeeded: random.next()) }
      initialized = count
    }
  }
}

/// The limits that a model sets for an attribute's values, read from its validation predicates.
struct AttributeLimits: Sendable {
  private var low: Double?
  private var high: Double?
  private var shortest: Int?
  private var longest: Int?

  init(_ attribute: AttributeDescription) {
    for case .comparison(let comparison) in attribute.validationPredicates {
      guard let bound = Self.number(comparison.right) else { continue }
      let isLeast = comparison.operator == .greaterThanOrEqualTo
      guard isLeast || comparison.operator == .lessThanOrEqualTo else { continue }
      if comparison.left == .evaluatedObject {
        if isLeast { low = bound } else { high = bound }
      } else if case .keyPath("length", of: _) = comparison.left {
        if isLeast { shortest = Int(exactly: bound) } else { longest = Int(exactly: bound) }
      }
    }
  }

  private static func number(_ expression: ValueExpression) -> Double? {
    if case .constant(.integer(let value)) = expression { return Double(value) }
    if case .constant(.double(let value)) = expression { return value }
    return nil
  }

  /// The allowed integers among those that a type can hold.
  func integers(within type: ClosedRange<Int64>) -> ClosedRange<Int64> {
    let lower = low.flatMap { Int64(exactly: $0.rounded(.up)) } ?? type.lowerBound
    let upper = high.flatMap { Int64(exactly: $0.rounded(.down)) } ?? type.upperBound
    let first = max(lower, type.lowerBound)
    return first...max(first, min(upper, type.upperBound))
  }

  /// The allowed lengths in characters.
  var length: ClosedRange<Int> {
    let first = min(max(shortest ?? 0, 0), 100_000)
    return first...max(first, longest ?? Int.max)
  }
}
