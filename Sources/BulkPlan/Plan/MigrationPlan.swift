public import BulkSupport
internal import BulkMapping
internal import BulkModel
package import BulkStore

/// The actions of a migration, decided before anything is written.
///
/// A plan is a value that is stored as JSON, read by people and executed by `run`. Equal inputs give equal
/// plans, byte for byte.
public struct MigrationPlan: Codable, Hashable, Sendable {
  /// The format of the file.
  public static let format = "plan/2"

  /// The format, always ``format``.
  public var bulkmigrate: String
  /// The source store, and its state when it was planned.
  public var source: SourceInput
  /// The destination store, which does not exist yet.
  public var destination: DestinationInput
  /// The steps, at least one, each from the version after the previous one.
  public var steps: [Step]
  /// The legs in which they are done, in their order; together they have all steps.
  ///
  /// ``passes``, ``memory`` and ``carried`` are those of the first.
  public var legs: [Leg]
  /// Whether the store fits the destination model already, so there is nothing to do.
  public var isUpToDate: Bool
  /// How the destination is made; absent where there is nothing to do.
  ///
  /// A plan without one, as that of several legs, writes all rows into new files.
  public var strategy: StoreStrategy?
  /// Whether values and filters of mapping models are evaluated even where SQL has the same meaning; absent
  /// where they are not.
  package var evaluates: Bool?
  /// True where the history before the last change of a removed entity stays; absent otherwise.
  public var keepsPartialHistory: Bool?
  /// True where the destination gets an identifier of its own; absent where it has that of the source.
  public var takesNewIdentifier: Bool?
  /// The passes, in order.
  public var passes: [Pass]
  /// The memory that the migration needs.
  public var memory: PlannedMemory
  /// The digest of the list of all that the first leg does, in hexadecimal; absent where there is nothing to do.
  ///
  /// Whoever works derives the list again, and compares the digest.
  public var workList: String?
  /// Unmanaged data: the kept and the left-behind parts.
  public var carried: Carried
  /// The losses of the first leg, step by step; those of a later one are counted when its source exists.
  public var losses: [Loss]
  /// The rows of the source whose `Z_ENT` is not an entity of their table; absent without any.
  package var strays: [StrayRows]?
  /// The warnings to read before the plan is run.
  public var warnings: [String]
  /// A digest of the inputs and of the work on them.
  public var fingerprint: String
}

extension MigrationPlan {
  /// The source store, and the model that wrote it.
  public struct SourceInput: Codable, Hashable, Sendable {
    /// The store's absolute path.
    public var store: String
    /// The size of the file with its log, in bytes.
    public var bytes: Int64
    /// A digest of the file's state when it was planned for, in hexadecimal; empty where nothing of it was read.
    public var identity: String
    /// Whether no row was read, because only the schema of the store itself grows.
    package var isUnread: Bool { identity.isEmpty }
    /// The file's attributes and its digest when it was planned for, after which `run` needs not read it for
    /// its identity as long as it has the same attributes; absent if a change of it might not show.
    package var reading: StoreReading?
    /// The reading of the file by ``reading``, if it still has the same attributes.
    package var knownReading: StoreReading? {
      reading?.coversAll(of: store) == true ? reading : nil
    }
    /// Whether the file has other attributes than when it was planned for, so that its contents may be others.
    package var seemsChanged: Bool { reading != nil && knownReading == nil }
    /// A digest of the values of reject files that are read in place of the store's; absent without any.
    package var corrections: String?
    /// The files with external values beside it; absent where there are none, and where no row was read.
    public var externalFiles: ExternalFiles?
    /// The rows that were lost when it was salvaged, as a sentence; absent where it was not.
    public var salvage: String?
    /// The version of Core Data that last wrote it.
    public var frameworkVersion: Int64
    /// The model that wrote it.
    public var model: ModelInput
  }

  /// The destination store, and its model.
  public struct DestinationInput: Codable, Hashable, Sendable {
    /// The store's absolute path.
    public var store: String
    /// The model of the destination.
    public var model: ModelInput
    /// The entities that other stores have, in code-unit order; absent where no configuration restricts the
    /// model.
    public var elsewhere: [EntityElsewhere]?
  }

  /// An entity whose objects another store has.
  public struct EntityElsewhere: Codable, Hashable, Sendable {
    /// The name of the entity in the model.
    public var entity: String
    /// The configurations that it is in, in code-unit order; empty for one that is in none.
    public var configurations: [String]
  }

  /// A model and where it was found.
  public typealias ModelInput = BulkPlan.ModelInput

  /// The origin of the mapping between the models.
  public struct MappingInput: Codable, Hashable, Sendable {
    /// The mapping file, if there is one; an absolute path.
    public var path: String?
    /// The further files that together with it are the mapping, in order; absent without any.
    public var others: [String]?
    /// The scope of inference: `unmentioned`, which is everything without a file, or `none`.
    public var infer: String
    /// The object that a to-one relationship takes of several, although the files do not say so;
    /// absent where several are an error.
    public var several: Several?
    /// A digest of the mapping model, in hexadecimal; absent where everything is inferred.
    public var digest: String?
    /// The value of `now()`, in seconds since 2001-01-01 00:00:00 UTC; absent where nothing uses it.
    public var now: Double?

    /// The object that counts among several.
    public enum Several: String, Codable, Hashable, Sendable {
      /// The first that is made.
      case first
    }

    /// All its files, in order; none where everything is inferred.
    public var files: [String] { [path].compactMap(\.self) + (others ?? []) }
  }

  /// Entities connected by relationships, migrated together.
  public struct Pass: Codable, Hashable, Sendable {
    /// The pass's number, from 1.
    public var number: Int
    /// The pass's name, unique in the plan: that of its mapping file where several are one mapping, otherwise
    /// that of an entity.
    public var name: String
    /// The destination's entities, each before its subentities.
    public var entities: [EntityChange]
    /// The rows to write, including those of join tables.
    public var rows: Int64
    /// The estimated bytes to write, from a sample of the rows.
    public var estimatedBytes: Int64
    /// The estimated time in seconds, from rows and bytes.
    public var estimatedSeconds: Double
    /// True where there may be fewer rows, bytes and seconds, because a filter excludes some or pairs
    /// coincide; absent where the rows are counted.
    public var isUpperBound: Bool?
    /// How the rows move.
    public var strategy: Strategy
    /// The memory that it needs in addition to what is needed all the time.
    public var memory: [MemoryShare]
  }

  /// How the rows of a pass move.
  public enum Strategy: String, Codable, Hashable, Sendable {
    /// Rows are copied unchanged.
    case copy
    /// Columns get new values.
    case transform
    case none
  }

  /// The change to an entity.
  public struct EntityChange: Codable, Hashable, Sendable {
    /// The kind of change.
    public enum Kind: String, Codable, Hashable, Sendable {
      /// Its objects do not change.
      case copied
      /// It is renamed; other changes are listed separately.
      case renamed
      case transformed
      /// Its objects are made from those of another entity, by a mapping model.
      case made
      case added
      /// It is removed with its objects.
      case removed
    }

    /// The destination entity; the source entity of one that is removed.
    public var entity: String
    /// The source entity, where it has another name.
    public var from: String?
    /// The kind of change.
    public var change: Kind
    /// The number of objects; 0 in a step of a later leg.
    public var rows: Int64
    /// True where a filter may exclude some of them, or several may become one; absent where the objects are
    /// counted.
    public var isUpperBound: Bool?
    /// The number of objects lost.
    public var rowsLost: Int64
    /// The number of objects that the SQL part of the mapping's filter excludes; absent without a filter.
    public var rowsLeftOut: Int64?
    /// The details, a phrase each.
    public var details: [String]
    /// The entity mapping, where a mapping model was given.
    public var mapping: String?
    /// The filter of the entity mapping, if any.
    public var filter: String?
    /// The policy that makes the objects, if any.
    public var policy: String?
    /// The attributes in which source objects agree that become one object; absent where each becomes its
    /// own.
    public var unique: [String]?
    /// The one of these whose values count, `first` or `last`.
    public var keep: String?
    /// The collection from each source object, for each element of which an object is made; absent where one
    /// is made from each source object.
    public var forEach: String?

    init(
      entity: String,
      from: String? = nil,
      change: Kind,
      rows: Int64 = 0,
      rowsLost: Int64 = 0,
      details: [String] = [],
      mapping: String? = nil,
      filter: String? = nil,
      policy: String? = nil,
      uniqueness: ObjectUniqueness? = nil,
      elements: ValueExpression? = nil
    ) {
      self.entity = entity
      self.from = from
      self.change = change
      self.rows = rows
      // A policy or a collection may make more objects than the source has.
      let isBounded = policy == nil && elements == nil
      let mayBeFewer = isBounded && (filter != nil || uniqueness != nil)
      isUpperBound = mayBeFewer && rows > 0 ? true : nil
      self.rowsLost = rowsLost
      self.details = details
      self.mapping = mapping
      self.filter = filter
      self.policy = policy
      unique = uniqueness?.attributes
      keep = uniqueness?.kept.rawValue
      forEach = elements?.description
    }
  }

  /// Unmanaged data: what is kept and what is left behind.
  public struct Carried: Codable, Hashable, Sendable {
    /// Tables, with their rows.
    public var tables: [CarriedTable] = []
    /// Columns of entity tables, as `TABLE.COLUMN`.
    public var columns: [String] = []
    /// Indexes, triggers, views and virtual tables, by kind and name.
    public var objects: [String] = []
    /// The statements of indexes on expressions and of partial indexes, which compute for every row; absent
    /// without any.
    public var computed: [String]?
    /// The objects left behind because a dependency is removed, or because they must not be
    /// computed, by kind and name.
    public var leftBehind: [String] = []
  }

  /// A table that is copied unchanged.
  public struct CarriedTable: Codable, Hashable, Sendable {
    /// The name of the table in the file.
    public var name: String
    /// The number of its rows.
    public var rows: Int64
  }

  package var isCopying: Bool { strategy?.kind == .copy }

  /// Whether the planner has checked a source that is still the same.
  package var isChecked: Bool { strategy?.isChecked == true && source.knownReading != nil }

  /// The rows of all passes.
  public var rows: Int64 { passes.reduce(0) { $0 + $1.rows } }

  /// The estimated bytes of all passes.
  public var estimatedSize: ByteCount {
    ByteCount(bytes: passes.reduce(0) { $0 + $1.estimatedBytes })
  }
}
