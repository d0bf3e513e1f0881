internal import BulkAssociation
internal import BulkCoding
internal import BulkModel
internal import BulkPlan
internal import BulkStore
internal import Foundation

/// Where a migration stands after a transaction: what must be known to go on, beside the rows
/// themselves.
///
/// What was decided by the source and the plan is not in it; a run that goes on decides it again in the
/// same way.
struct Checkpoint: Codable {
  /// The format of the file.
  static let format = "checkpoint/1"

  /// The association table of an entity mapping.
  struct Associations: Codable {
    /// The mapping's place.
    var index: Int
    /// The segments, which are durable.
    var segments: [AssociationSegmentReference]
    /// Whether the table is complete.
    var isFinished: Bool
  }

  /// A relationship whose links are all written.
  struct Linked: Codable {
    /// The number of the transaction that wrote the last of them.
    var transaction: Int64
    /// The links that fell away.
    var losses: LinkLosses
  }

  /// The format, always ``format``.
  var bulkmigrate = Checkpoint.format
  /// The checkpoint's number, one more than that of the checkpoint before it, whoever wrote that.
  var number: Int64 = 0
  /// What wrote it; another version may do the same things in another order.
  var tool = ToolVersion.withLibrary
  /// The digest of the plan that is carried out.
  var plan: String
  /// The name of the attempt whose files these are.
  var attempt: String
  /// The number of the transaction.
  var transaction: Int64
  /// The rows that were written.
  var rows: Int64
  /// The rows of a batch, by which it is known what each transaction does.
  var batchRows: Int64 = 0
  /// The destination tables that move row by row because moving them whole failed.
  var rowByRow: [String] = []
  /// The unique indexes against which rows stand.
  var conflicts: [String] = []
  /// The association tables.
  var associations: [Associations] = []
  /// The relationships whose links are all written, in the order in which they are set.
  var linked: [Linked] = []
  /// The links that fell away, once all rows are written.
  var counted: LinkLosses?
  /// How far the source was read to see whether it is the one that was planned for.
  var sourceReading: StoreReading?
  /// The last key that was handed out, by table.
  var lastKeys: [String: Int64] = [:]
  /// What policies remember, each as a keyed archive.
  var userInfo: [String: Data] = [:]
  /// Whether everything is written that comes by transactions; the store's number of the last one may
  /// be gone.
  var isWhole = false
  /// Whether the store is whole and on the disk, and has only to be published; nobody writes to its
  /// files any more.
  var isFinished = false
  /// When the store was last written and its size, of one that is finished and has no log of its pages;
  /// it is as it was left if these are the same.
  var moment: [Int64]?
  /// Whether values lie outside of the store, in a folder that is published with it; of a store that is
  /// whole.
  var hasExternalData = false
  /// What became of the source rows, by entity mapping or by destination table.
  var tallies: [String: RowTally] = [:]
  /// What of the source is not in the store; of a store that is whole.
  var losses: [MigrationPlan.Loss] = []
  /// The bytes of the report of violations that count.
  var violationBytes: Int64 = 0
}

extension Checkpoint {
  /// The file: the checkpoint as JSON, and its digest on a line of its own.
  func encoded() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let body = try encoder.encode(self)
    return body + Data("\n\(Self.digest(of: body))\n".utf8)
  }

  /// A checkpoint from its file; `nil` where the file is not whole.
  init?(_ file: Data) {
    let lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard
      lines.count == 3, lines[2].isEmpty,
      String(decoding: lines[1], as: UTF8.self) == Self.digest(of: lines[0]),
      let found = try? JSONDecoder().decode(Checkpoint.self, from: lines[0]),
      found.bulkmigrate == Self.format
    else { return nil }
    self = found
  }

  /// Whether the segments of its association tables are as they were written.
  func hasSoundSegments(in folder: String) -> Bool {
    associations.flatMap(\.segments).allSatisfy { reference in
      (try? AssociationSegment(reference, in: folder).verify()) != nil
    }
  }

  private static func digest(of body: some Sequence<UInt8>) -> String {
    var hash = SHA256()
    hash.update(Array(body))
    return VersionHash.hexadecimal(hash.finalize())
  }
}
