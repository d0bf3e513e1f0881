internal import BulkAssociation
internal import BulkCoding
internal import BulkPlan
internal import BulkStore
internal import BulkPlatform
internal import BulkVersions

/// The state of a migration after a transaction: the data that a later run needs to resume, beside
/// the rows themselves.
///
/// Facts that follow from the source and the plan are not stored; a resumed run decides them again
/// in the same way.
struct Checkpoint: Codable {
  static let format = "checkpoint/3"
  /// The format before, in which each table was made in a transaction of its own; receipts of it are valid.
  private static let formerFormat = "checkpoint/2"

  /// The association table of an entity mapping.
  struct Associations: Codable {
    var index: Int
    var segments: [AssociationSegmentReference]
    var isFinished: Bool
    /// The key of the first element's object, where objects are made for elements and found.
    var firstKey: Int64?
  }

  /// The objects that were left out, in rounds.
  struct Rejected: Codable {
    struct Round: Codable {
      var transaction: Int64
      /// The bytes of the report of violations after it.
      var reportBytes: Int64
      /// Whether it left out objects that are the same as others; absent if not.
      var isOfDuplicates: Bool?
    }

    var rounds: [Round] = []
    /// The objects of all rounds, with those that were not made because a filter failed; of a whole store also the
    /// rows of pages that cannot be read.
    var count: Int64 = 0
    /// The rows that were removed, with pairs.
    var removed: Int64 = 0
    /// The links and pairs that went with them, by relationship.
    var links: [String: Int64] = [:]
    /// The highest key that was left out, by table; it is not given again.
    var highestKeys: [String: Int64] = [:]
  }

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
  var rows: Int64
  /// The rows in a batch, which determine the work of each transaction.
  var batchRows: Int64 = 0
  var isCopied = false
  /// Whether all rows are written, and objects may have been judged by the policy for rejects.
  var isJudging = false
  /// The unique indexes that rows violate.
  var conflicts: [String] = []
  var associations: [Associations] = []
  /// The transaction that wrote the last link of each relationship whose links are all written, in the order in which
  /// they are set.
  var linked: [Int64] = []
  /// The source objects that no mapping took, by entity, once all rows are written and where filters of several mappings
  /// are evaluated.
  var untaken: [String: Int64]?
  /// The numbers of the losses that are counted when objects are made, so far; absent before the first range of rows.
  var lossCounts: [[Int64]]?
  var sourceReading: StoreReading?
  var lastKeys: [String: Int64] = [:]
  /// The digests of the programs that take the place of policies, by the policies' names; absent without any.
  var programs: [String: String]?
  /// The `userInfo` of policies, each value as a keyed archive.
  var userInfo: [String: Data] = [:]
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
  var tallies: [String: RowTally] = [:]
  var losses: [MigrationPlan.Loss] = []
  /// The number of valid bytes in the report of violations.
  var violationBytes: Int64 = 0
  /// The digest of these bytes, in hexadecimal; absent where there are none.
  var violationDigest: String?
  var rejected: Rejected?
  var passes: [PassUse] = []
  /// The counts of the finished legs of a route, in their order; absent without a route.
  var legs: [LegRecord]?
  /// The measurements so far, in all attempts; `nil` where another version wrote it.
  var measures: MeasureRecord?
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
      found.bulkmigrate == Self.format
        || found.bulkmigrate == Self.formerFormat && found.isFinished
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

  func hasSoundSegments(in folder: String) -> Bool {
    associations.flatMap(\.segments).allSatisfy { reference in
      (try? AssociationSegment(reference, in: folder).verify()) != nil
    }
  }
}
