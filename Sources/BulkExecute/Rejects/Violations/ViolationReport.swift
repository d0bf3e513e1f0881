internal import BulkSupport
internal import BulkModel
internal import BulkStore

/// Collects violations: all of them in a file, one JSON object a line, and the first of each rule in
/// memory.
final class ViolationReport {
  private static let shownOfEach = 10
  private static let bufferSize = 1 << 16
  /// The maximum number of failed values of expressions that are remembered until the rules of the
  /// model are checked; further ones may be counted for such a rule as well.
  private static let missingLimit = 10_000
  /// Beyond this number of rules only the total of all others is kept.
  private static let ruleLimit = 1_000

  private let path: String
  private let finalPath: String
  /// Its lines are synced with a checkpoint that knows their number.
  private var file: OpenFile?
  /// Of the file, in bytes.
  private var size = 0
  private var buffer = Data()
  private var hash = SHA256()
  private var counts: [ViolationSummary.Rule] = []
  private var indexes: [ViolationSummary.RuleName: Int] = [:]
  private var total: Int64 = 0
  private var missing: Set<MissingValue> = []

  /// A value that an expression failed to compute, so that it is nil.
  private struct MissingValue: Hashable {
    let origin: ObjectOrigin
    let property: String
  }

  /// A report whose file is made with the first violation.
  ///
  /// `bytes` is the length of what is valid of a file that an interrupted run left.
  init(path: String, later finalPath: String, keeping bytes: Int64 = 0) throws {
    self.path = path
    self.finalPath = finalPath
    guard bytes > 0 else { return }
    let file = try Self.file(keeping: bytes, of: path)
    size = Int(bytes)
    let lines = ByteLines(file)
    while let line = try lines.next() {
      hash.update(line + [UInt8(ascii: "\n")])
      if let violation = ViolationLine.violation(in: line) { count(violation) }
    }
    self.file = file
  }

  /// Opens a file and keeps only its first bytes.
  private static func file(keeping bytes: Int64, of path: String) throws(FileError) -> OpenFile {
    let file = try OpenFile(path, O_RDWR | O_NOFOLLOW)
    try file.truncate(to: Int(bytes))
    return file
  }

  func synchronize() throws -> (bytes: Int64, digest: String?) {
    guard total > 0 else { return (0, nil) }
    let bytes = try flushedBytes()
    try file?.sync()
    return (bytes, digest)
  }

  /// In hexadecimal.
  private var digest: String {
    var hash = hash
    return VersionHash.hexadecimal(hash.finalize())
  }

  /// Whether a report begins with the bytes that a checkpoint knows.
  ///
  /// The file stays as it is: an attempt that is still running may write it.
  static func isSound(_ path: String, _ checkpoint: Checkpoint) -> Bool {
    var rest = Int(checkpoint.violationBytes)
    guard rest > 0 else { return true }
    guard let file = try? OpenFile(reading: path) else { return false }
    var hash = SHA256()
    while rest > 0 {
      let part = (try? file.read(min(rest, bufferSize))) ?? []
      guard !part.isEmpty else { return false }
      hash.update(part)
      rest -= part.count
    }
    return VersionHash.hexadecimal(hash.finalize()) == checkpoint.violationDigest
  }

  /// Returns the size in bytes.
  func flushedBytes() throws -> Int64 {
    guard total > 0 else { return 0 }
    try flush()
    return Int64(size)
  }

  /// In the order of the file, behind some bytes.
  func each(from start: Int64, _ body: (Violation) throws -> Void) throws {
    let end = try flushedBytes()
    guard let file else { return }
    try Self.each(in: file, start..<max(start, end), body)
  }

  /// In the order of the file; what is behind its valid bytes is cut off.
  static func each(
    in path: String,
    keeping bytes: Int64,
    _ body: (Violation) throws -> Void
  ) throws {
    guard bytes > 0 else { return }
    try each(in: file(keeping: bytes, of: path), 0..<bytes, body)
  }

  private static func each(
    in file: OpenFile,
    _ range: Range<Int64>,
    _ body: (Violation) throws -> Void
  ) throws {
    let lines = ByteLines(file)
    lines.seek(to: range.lowerBound)
    while lines.nextOffset < range.upperBound, let line = try lines.next() {
      if let violation = ViolationLine.violation(in: line) { try body(violation) }
    }
  }

  /// Adds a violation, unless it follows from another: a value that an expression failed to compute is nil,
  /// whichever rule it violates thereby.
  func add(_ violation: Violation) throws {
    if violation.value == nil, let value = Self.value(violation), missing.contains(value) { return }
    count(violation)
    buffer += Data((ViolationLine.text(violation) + "\n").utf8)
    if buffer.count > Self.bufferSize { try flush() }
  }

  private static func value(_ violation: Violation) -> MissingValue? {
    violation.origin.map { MissingValue(origin: $0, property: violation.property) }
  }

  /// `nil` if nothing was found; the file is synced otherwise.
  func summary() throws -> ViolationSummary? {
    guard total > 0 else { return nil }
    try flush()
    try file?.sync()
    return ViolationSummary(total: total, rules: counts, path: finalPath)
  }

  private func count(_ violation: Violation) {
    total += 1
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
    guard let index = indexes[name] else {
      guard counts.count < Self.ruleLimit else { return }
      indexes[name] = counts.count
      counts.append(ViolationSummary.Rule(name: name, count: 1, first: [Self.line(violation)]))
      return
    }
    counts[index].count += 1
    if counts[index].first.count < Self.shownOfEach {
      counts[index].first.append(Self.line(violation))
    }
  }

  private static func line(_ violation: Violation) -> ViolationSummary.Object {
    ViolationSummary.Object(
      key: violation.key,
      source: violation.origin.map { .init(entity: $0.entity, key: $0.key) },
      value: violation.value
    )
  }

  private func flush() throws {
    let file = try self.file ?? makeFile()
    self.file = file
    try file.write(buffer, at: size)
    size += buffer.count
    hash.update(Array(buffer))
    buffer.removeAll(keepingCapacity: true)
  }

  /// For its owner alone; a file that had the name is removed, not overwritten.
  private func makeFile() throws(FileError) -> OpenFile {
    // The call does not keep the path.
    unsafe unlink(path)
    return try OpenFile(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
  }
}
