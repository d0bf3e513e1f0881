public import BulkVersions
public import BulkCoding

/// What a migration will do, decided before anything is written.
///
/// A plan is a value that is written as JSON, read by people and executed by `run`. Equal inputs give
/// equal plans, byte for byte.
public struct MigrationPlan: Codable, Hashable, Sendable {
  /// The format of the file.
  public static let format = "plan/1"

  /// The format, always ``format``.
  public var bulkmigrate: String
  /// The store that is read.
  public var source: SourceInput
  /// The models on the way, in their order, where several steps are done as one; absent where there
  /// are none.
  public var through: [ModelInput]?
  /// The store that is made.
  public var destination: DestinationInput
  /// Where the mapping comes from; of several steps that are done as one, that of the first.
  public var mapping: MappingInput
  /// Where the mapping of every step comes from, where several are done as one and not all are
  /// inferred; absent otherwise.
  public var mappings: [MappingInput]?
  /// The steps over several versions of the model; absent where one step leads to the destination.
  ///
  /// With a route, ``mapping``, ``passes`` and ``carried`` are those of its first leg.
  public var route: MigrationRoute?
  /// Whether the store fits the destination model already, so that there is nothing to do.
  public var isUpToDate: Bool
  /// The passes in the order in which they run.
  public var passes: [Pass]
  /// The memory that it needs.
  public var memory: PlannedMemory
  /// What is taken over although no model explains it.
  public var carried: Carried
  /// What of the source will not be there afterwards, step by step.
  public var losses: [Loss]
  /// What deserves a look before the plan is run.
  public var warnings: [String]
  /// A digest of the inputs and of what is done with them.
  public var fingerprint: String
}

extension MigrationPlan {
  /// The store that is read, and the model that wrote it.
  public struct SourceInput: Codable, Hashable, Sendable {
    /// Where the store lies; an absolute path.
    public var store: String
    /// The size of the file with its log, in bytes.
    public var bytes: Int64
    /// Which state of the file was planned for, in hexadecimal.
    public var identity: String
    /// The version of Core Data that last wrote it.
    public var frameworkVersion: Int64
    /// The model that wrote it.
    public var model: ModelInput
  }

  /// The store that is made, and its model.
  public struct DestinationInput: Codable, Hashable, Sendable {
    /// Where the store will lie; an absolute path.
    public var store: String
    /// Its model.
    public var model: ModelInput
  }

  /// A model and where it was found.
  public typealias ModelInput = BulkVersions.ModelInput

  /// Where the mapping between the models comes from.
  public struct MappingInput: Codable, Hashable, Sendable {
    /// The mapping file, if there is one; an absolute path.
    public var path: String?
    /// What is inferred: `unmentioned`, which is all where no file mentions anything, or `none`.
    public var infer: String
    /// A digest of the mapping model, in hexadecimal; absent where everything is inferred.
    public var digest: String?
    /// What `now()` gives, in seconds since 2001-01-01 00:00:00 UTC; absent where nothing asks for it.
    public var now: Double?
  }

  /// Entities that relationships tie together, migrated as one.
  public struct Pass: Codable, Hashable, Sendable {
    /// The pass's number, from 1.
    public var number: Int
    /// The destination's entities, each before its subentities.
    public var entities: [EntityChange]
    /// The rows to write, those of join tables included.
    public var rows: Int64
    /// The bytes to write, estimated from a sample of the rows.
    public var estimatedBytes: Int64
    /// The time that it takes, in seconds, estimated from rows and bytes.
    public var estimatedSeconds: Double
    /// True where there may be fewer rows, bytes and seconds, as a filter leaves some out or pairs fall
    /// together; absent where the rows are counted.
    public var isUpperBound: Bool?
    /// How the rows move.
    public var strategy: Strategy
    /// The memory that it needs beside what is needed all the time.
    public var memory: [MemoryShare]
  }

  /// How the rows of a pass move.
  public enum Strategy: String, Codable, Hashable, Sendable {
    /// Rows move as they are.
    case copy
    /// Columns get new values on the way.
    case transform
    /// There are no rows.
    case none
  }

  /// What becomes of an entity.
  public struct EntityChange: Codable, Hashable, Sendable {
    /// What happens to an entity.
    public enum Kind: String, Codable, Hashable, Sendable {
      /// Its objects stay as they are.
      case copied
      /// It has another name; what else changes is said beside.
      case renamed
      /// Its properties change.
      case transformed
      /// Its objects are made from those of another entity, by a mapping model.
      case made
      /// It is new.
      case added
      /// It is gone, and its objects with it.
      case removed
    }

    /// The destination entity; the source entity of one that is removed.
    public var entity: String
    /// The source entity, where it is another or has another name.
    public var from: String?
    /// What happens.
    public var change: Kind
    /// The objects that are there.
    public var rows: Int64
    /// True where a filter may leave some of them out; absent where the objects are counted.
    public var isUpperBound: Bool?
    /// The objects that are lost.
    public var rowsLost: Int64
    /// The objects that the mapping's filter leaves out, as far as SQL tells it; absent without a filter.
    public var rowsLeftOut: Int64?
    /// What changes in it, a phrase each.
    public var details: [String]
    /// The entity mapping, where a mapping model was given.
    public var mapping: String?
    /// Which objects the entity mapping takes, where it does not take all.
    public var filter: String?
    /// The policy that makes the objects, where there is one.
    public var policy: String?

    init(
      entity: String,
      from: String? = nil,
      change: Kind,
      rows: Int64 = 0,
      rowsLost: Int64 = 0,
      details: [String] = [],
      mapping: String? = nil,
      filter: String? = nil,
      policy: String? = nil
    ) {
      self.entity = entity
      self.from = from
      self.change = change
      self.rows = rows
      // A policy may make more objects than there are.
      isUpperBound = filter != nil && policy == nil && rows > 0 ? true : nil
      self.rowsLost = rowsLost
      self.details = details
      self.mapping = mapping
      self.filter = filter
      self.policy = policy
    }
  }

  /// What is taken over although no model explains it.
  public struct Carried: Codable, Hashable, Sendable {
    /// Tables, with their rows.
    public var tables: [CarriedTable] = []
    /// Columns of entity tables, as `TABLE.COLUMN`.
    public var columns: [String] = []
    /// Indexes, triggers, views and virtual tables, by kind and name.
    public var objects: [String] = []
    /// The indexes among the objects whose values or conditions statements of the source compute for
    /// every row, with these statements; absent where there are none.
    public var computed: [String]?
    /// What is left behind because what it stands on is gone, or because it may not be computed, by kind
    /// and name.
    public var leftBehind: [String] = []
  }

  /// A table that is taken over as it is.
  public struct CarriedTable: Codable, Hashable, Sendable {
    /// The table's name.
    public var name: String
    /// Its rows.
    public var rows: Int64
  }

  /// Where the mapping of every step comes from that is done as one.
  public var mappingOfEachStep: [MappingInput] {
    mappings ?? Array(repeating: mapping, count: 1 + (through?.count ?? 0))
  }

  /// The rows of all passes.
  public var rows: Int64 { passes.reduce(0) { $0 + $1.rows } }

  /// The bytes of all passes, estimated.
  public var estimatedSize: ByteCount {
    ByteCount(bytes: passes.reduce(0) { $0 + $1.estimatedBytes })
  }
}
