internal import BulkSupport

/// What a run has done so far, beside the rows themselves: the body of a checkpoint, from which a later run goes on.
///
/// Facts that follow from the source and the plan are not in it; a resumed run decides them again in the same way.
struct RunState: Codable {
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
    /// The links and pairs that went with them, by relationship, and CloudKit's records of them, by table.
    var links: [String: Int64] = [:]
    /// The highest key that was left out, by table; it is not given again.
    var highestKeys: [String: Int64] = [:]
  }

  var rows: Int64 = 0
  /// The rows in a batch, which determine the work of each transaction; 0 before the first one.
  var batchRows: Int64 = 0
  var isCopied = false
  /// Whether all rows are written, and objects may have been validated by the policy for rejects.
  var isJudging = false
  /// The names of the unique indexes that rows violate.
  var conflicts: [String] = []
  var associations: [Associations] = []
  /// The transaction that wrote the last link of each relationship whose links are all written, in the order in which
  /// they are set.
  var linked: [Int64] = []
  /// The numbers of the losses that are counted when objects are made, so far, by the order of the counts; none before
  /// the first range of rows.
  var lossCounts: [[Int64]] = []
  /// The last key that was handed out to objects that do not have those of their source objects, by table.
  var lastKeys: [String: Int64] = [:]
  /// The digests of the programs that take the place of policies, by the policies' names; absent without any.
  var programs: [String: String]?
  /// The `userInfo` of policies, each value as a keyed archive.
  var userInfo: [String: Data] = [:]
  var tallies: [String: RowTally] = [:]
  /// The number of valid bytes in the report of violations.
  var violationBytes: Int64 = 0
  /// The digest of these bytes, in hexadecimal; absent where there are none.
  var violationDigest: String?
  var rejected: Rejected?
  var passes: [PassUse] = []
}
