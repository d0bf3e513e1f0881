internal import BulkStore
internal import BulkPlatform
internal import Foundation

/// Collects violations: all of them in a file, one JSON object a line, and the first of each rule in
/// memory.
final class ViolationReport {
  private static let shownOfEach = 10
  /// The bytes of the file that are buffered in memory.
  private static let bufferSize = 1 << 16
  /// The most failed values of expressions that are remembered until the rules of the model are checked;
  /// further ones may be counted for such a rule as well.
  private static let missingLimit = 10_000
  /// Beyond this number of rules only the total of all others is kept.
  private static let ruleLimit = 1_000

  private let path: String
  private let finalPath: String
  private var file: FileHandle?
  private var buffer = Data()
  private var counts: [ViolationSummary.Rule] = []
  private var places: [ViolationSummary.RuleName: Int] = [:]
  private var total: Int64 = 0
  private var missing: Set<MissingValue> = []

  /// A value that an expression failed to compute, so that it is nil.
  private struct MissingValue: Hashable {
    let origin: ObjectOrigin
    let property: String
  }

  /// A report whose file is made with the first violation.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - finalPath: Its path when the attempt has ended.
  ///   - bytes: The valid bytes of a file that an interrupted run left.
  /// - Throws: Any error of reading or truncating the file.
  init(path: String, later finalPath: String, keeping bytes: Int64 = 0) throws {
    self.path = path
    self.finalPath = finalPath
    guard bytes > 0 else { return }
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.truncate(atOffset: UInt64(bytes))
    try file.seek(toOffset: 0)
    var rest = Data()
    while let part = try file.read(upToCount: Self.bufferSize), !part.isEmpty {
      rest += part
      try countLines(of: &rest)
    }
    self.file = file
  }

  /// Counts the violations in complete lines, and leaves what follows the last of them.
  private func countLines(of text: inout Data) throws {
    let end = UInt8(ascii: "\n")
    guard let last = text.lastIndex(of: end) else { return }
    for line in text[..<last].split(separator: end) {
      guard let violation = Self.violation(Data(line)) else { continue }
      total += 1
      count(violation)
    }
    text = Data(text[(last + 1)...])
  }

  private static func violation(_ line: Data) -> Violation? {
    guard
      let object = try? JSONSerialization.jsonObject(with: line) as? [String: Any],
      let entity = object["entity"] as? String, let key = object["key"] as? NSNumber,
      let property = object["property"] as? String, let rule = object["rule"] as? String
    else { return nil }
    return Violation(
      entity: entity,
      key: key.int64Value,
      origin: origin(in: object),
      property: property,
      rule: rule,
      value: object["value"] as? String
    )
  }

  private static func origin(in object: [String: Any]) -> ObjectOrigin? {
    guard
      let mapping = object["mapping"] as? String, let entity = object["sourceEntity"] as? String,
      let key = object["sourceKey"] as? NSNumber
    else { return nil }
    return ObjectOrigin(mapping: mapping, entity: entity, key: key.int64Value)
  }

  /// Syncs what is written of the file.
  ///
  /// - Returns: Its size in bytes.
  func synchronize() throws -> Int64 {
    guard total > 0 else { return 0 }
    try flush()
    try file?.synchronize()
    return Int64(try file?.offset() ?? 0)
  }

  /// Adds a violation, unless it follows from another: a value that an expression failed to compute is nil,
  /// whichever rule it violates thereby.
  func add(_ violation: Violation) throws {
    if violation.value == nil, let value = Self.value(violation), missing.contains(value) { return }
    total += 1
    count(violation)
    try write(violation)
  }

  private static func value(_ violation: Violation) -> MissingValue? {
    violation.origin.map { MissingValue(origin: $0, property: violation.property) }
  }

  /// The summary, or `nil` if nothing was found; the file is synced then.
  func summary() throws -> ViolationSummary? {
    guard total > 0 else { return nil }
    try flush()
    try file?.synchronize()
    try file?.close()
    return ViolationSummary(total: total, rules: counts, path: finalPath)
  }

  private func count(_ violation: Violation) {
    if violation.rule == Violation.expressionRule, missing.count < Self.missingLimit,
      let value = Self.value(violation)
    {
      missing.insert(value)
    }
    let name = ViolationSummary.RuleName(
      entity: violation.entity,
      property: violation.property,
      rule: violation.rule
    )
    guard let place = places[name] else {
      guard counts.count < Self.ruleLimit else { return }
      places[name] = counts.count
      counts.append(ViolationSummary.Rule(name: name, count: 1, first: [Self.line(violation)]))
      return
    }
    counts[place].count += 1
    if counts[place].first.count < Self.shownOfEach {
      counts[place].first.append(Self.line(violation))
    }
  }

  private static func line(_ violation: Violation) -> ViolationSummary.Object {
    ViolationSummary.Object(
      key: violation.key,
      source: violation.origin.map { .init(entity: $0.entity, key: $0.key) },
      value: violation.value
    )
  }

  private func write(_ violation: Violation) throws {
    var object: [String: Any] = [
      "entity": violation.entity, "key": violation.key, "property": violation.property,
      "rule": violation.rule,
    ]
    object["value"] = violation.value
    object["mapping"] = violation.origin?.mapping
    object["sourceEntity"] = violation.origin?.entity
    object["sourceKey"] = violation.origin?.key
    buffer += try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count > Self.bufferSize { try flush() }
  }

  private func flush() throws {
    if file == nil {
      guard
        FileManager.default.createFile(
          atPath: path,
          contents: nil,
          attributes: [.posixPermissions: 0o600]
        )
      else {
        throw FileError.last(path)
      }
      file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }
    try file?.write(contentsOf: buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
