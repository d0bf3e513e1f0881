internal import BulkSupport
internal import BulkPlan
internal import BulkStore

/// What a later run needs to resume after a transaction, beside the rows themselves: the state of the run, behind a head
/// that says whose it is.
@dynamicMemberLookup
struct Checkpoint: Codable {
  static let format = "checkpoint/5"

  var bulkmigrate = Checkpoint.format
  /// The number of the checkpoint, one more than the previous one, whichever attempt wrote that.
  var number: Int64 = 0
  /// The program that wrote it; another version may do the same work in another order.
  var tool = ToolVersion.withLibrary
  var plan: String
  /// The process that wrote it; `nil` until it is published.
  var writer: ProcessIdentity?
  var limits: RunLimits?
  var attempt: String
  var transaction: Int64
  var sourceReading: StoreReading?
  /// Whether all transactions are done; the store may no longer hold the number of the last one.
  var isWhole = false
  /// Whether the store is complete and synced, and only has to be published; its files are not
  /// written any more.
  var isFinished = false
  /// The modification time and size of a finished store that has no page log; the store is unchanged if
  /// both are the same.
  var moment: [Int64]?
  /// Whether a complete store has external values, in a folder that is published with it.
  var hasExternalData = false
  /// The digest of that folder; absent where there is none.
  var externalDigest: String?
  /// The losses of a store that is whole.
  var losses: [MigrationPlan.Loss] = []
  /// The counts of the finished legs of a route, in their order; absent without a route.
  var legs: [LegRecord]?
  /// The measurements so far, of all attempts.
  var measures: MeasureRecord?
  var state = RunState()

  subscript<Value>(dynamicMember path: WritableKeyPath<RunState, Value>) -> Value {
    get { state[keyPath: path] }
    set { state[keyPath: path] = newValue }
  }
}

extension Checkpoint {
  /// The file: the checkpoint as JSON, then its digest on a line of its own.
  func encoded() throws -> Data {
    let body = try StableJSON.line(self)
    return Data("\(body)\n\(Digest.text(of: Array(body.utf8)))\n".utf8)
  }

  /// The lines of ``encoded()`` as members of a JSON object, each behind a line break and before a comma.
  func members() throws -> Data {
    let lines = try encoded().split(separator: UInt8(ascii: "\n"))
    return Data("\n\(Self.bodyKey)".utf8) + lines[0]
      + Data(",\n\(Self.digestKey)\"".utf8) + lines[1] + Data("\",".utf8)
  }

  private static let bodyKey = "  \"checkpoint\" : "
  private static let digestKey = "  \"checkpointDigest\" : "

  /// Reads a checkpoint from its file, or from the copy of a plan that holds one; `nil` if the file is incomplete or
  /// corrupt.
  init?(_ file: Data) {
    let lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard
      let (body, digest) = Self.members(among: lines)
        ?? (lines.count == 3 && lines[2].isEmpty ? (lines[0], lines[1]) : nil),
      String(decoding: digest, as: UTF8.self) == Digest.text(of: Array(body)),
      let found = try? JSONDecoder().decode(Checkpoint.self, from: body),
      found.bulkmigrate == Self.format,
      // As many as no migration has, which can be added and counted on.
      [found.transaction, found.rows].allSatisfy({ (0..<1 << 48).contains($0) })
    else { return nil }
    self = found
  }

  private static func members(among lines: [Data]) -> (body: Data, digest: Data)? {
    guard lines.count > 4, lines[2].starts(with: bodyKey.utf8),
      lines[3].starts(with: digestKey.utf8)
    else { return nil }
    let digest = lines[3].dropFirst(digestKey.utf8.count + 1).dropLast(2)
    return (lines[2].dropFirst(bodyKey.utf8.count).dropLast(), digest)
  }

  /// Throws where the segments of the association tables are not those that were recorded, or cannot be read.
  func verifySegments(
    in folder: String,
    isStopped: () -> Bool
  ) throws {
    for reference in state.associations.flatMap(\.segments) {
      try AssociationSegment(reference, in: folder).verify(isStopped: isStopped)
    }
  }
}
