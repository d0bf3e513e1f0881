internal import BulkSupport
package import BulkModel
internal import BulkStore

extension MigrationPlan {
  /// A part of the source that a migration loses.
  public struct Loss: Codable, Hashable, Sendable {
    /// The kinds of parts that are counted.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
      /// Objects of an entity.
      case objects
      /// Values of an attribute that are not nil.
      case values
      /// Links of a relationship, each between two objects.
      case links
      /// Owners of the members of an ordered relationship.
      case positions
      /// Rows of tables, and values of columns, that no model manages.
      case unmanaged
      /// Rows of the persistent history, which restarts as in Core Data.
      case history
      /// Rows of the tables that mirror objects with CloudKit; Core Data fetches them again.
      case mirroring
      /// Indexes, triggers, views and virtual tables that no model manages.
      case schema
    }

    /// The cause of a loss.
    public enum Cause: String, Codable, Hashable, Sendable, CaseIterable {
      /// The entity or property is removed, or no mapping reads it.
      case removed
      /// Filters of entity mappings exclude it.
      case filtered
      /// A policy made nothing from it.
      case policy
      /// The object at the other end is not migrated.
      case target
      /// Entity mappings read the object at the other end, but not those that fill the relationship.
      case overlooked
      /// A relationship keeps one object of several.
      case narrowed
      /// Something that it depends on is removed.
      case leftBehind
      /// It leads to an object, or from one, that is left out because it cannot be migrated as it is.
      case rejected
      /// Another configuration of the destination's model has it, whose store keeps it.
      case elsewhere
      /// Its row has a `Z_ENT` that no entity of the table has.
      case stray
      /// The file with it is missing beside the source.
      case missingFile
    }

    /// The step that loses it, from 1.
    public var step: Int
    /// The kind of parts that were counted.
    public var kind: Kind
    /// Its owner, by the names of the version before the step: `Entity`, `Entity.property`, or a table or
    /// column.
    public var owner: String
    /// The number of parts that are lost.
    public var count: Int64
    /// True where fewer may be lost; absent where they are counted.
    public var isUpperBound: Bool?
    /// True for values that an earlier step added: the source never had them.
    ///
    /// Only the plan of a leg has such losses.
    package var isAdded: Bool?
    /// The cause of the loss.
    public var cause: Cause
    /// The reason, in words.
    public var reason: String

    package init(
      _ kind: Kind,
      _ owner: String,
      _ count: Int64,
      isUpperBound: Bool = false,
      by cause: Cause,
      reason: String,
      step: Int = 1
    ) {
      self.step = step
      self.kind = kind
      self.owner = owner
      self.count = count
      self.isUpperBound = isUpperBound ? true : nil
      self.cause = cause
      self.reason = reason
    }

    init(_ strays: StrayRows) {
      self.init(.objects, strays.table, strays.rows, by: .stray, reason: "\(strays)")
    }
  }
}

extension MigrationPlan.Loss {
  /// Whether a limit of losses counts it: the history restarts in Core Data too, CloudKit keeps
  /// mirrored data, the store of another configuration what it has, schema objects hold no data, and values added by an
  /// earlier step were never in the source.
  public var isLimited: Bool {
    guard isAdded == nil, cause != .elsewhere else { return false }
    return switch kind {
    case .objects, .values, .links, .positions, .unmanaged: true
    case .history, .mirroring, .schema: false
    }
  }
}

extension Sequence<MigrationPlan.Loss> {
  /// The amount certainly lost, as a limit of losses counts it.
  public var certain: Int64 {
    reduce(0) { $1.isLimited && $1.isUpperBound == nil ? $0 + $1.count : $0 }
  }

  /// The largest possible loss, as a limit of losses counts it.
  public var most: Int64 { reduce(0) { $1.isLimited ? $0 + $1.count : $0 } }

  /// The limit that allows what is certainly lost; `nil` if the usual one does.
  package var neededLimit: LossLimit? { LossLimit.usual.allows(certain) ? nil : .count(certain) }
}

extension [MigrationPlan.Loss] {
  /// More losses than these are told as one.
  private static var alikeLimit: Int { 2 }

  /// The losses, with those of one property in several entities, as in subentities, added up to one.
  package var folded: [MigrationPlan.Loss] {
    let groups = Dictionary(grouping: self, by: \.likeness)
    return compactMap { loss in
      guard let group = groups[loss.likeness], group.count > Self.alikeLimit else { return loss }
      guard group.first == loss else { return nil }
      var one = loss
      one.owner += " and \(group.count - 1) others"
      one.count = group.reduce(0) { $0 + $1.count }
      one.isUpperBound = group.contains { $0.isUpperBound == true } ? true : nil
      return one
    }
  }
}

extension MigrationPlan.Loss {
  /// The key by which losses are added up: the property, the step, the kind and the reason.
  fileprivate var likeness: [String] {
    let isOfProperty = [.values, .links, .positions].contains(kind)
    let name = isOfProperty ? owner.split(separator: ".").last.map(String.init) : nil
    return [name ?? "of \(owner)", "\(step)", kind.rawValue, "\(isLimited)", reason]
  }
}

extension MigrationPlan.Loss: CustomStringConvertible {
  /// The loss in a line, as `at most 2,922 objects of Image: the entity is removed`.
  public var description: String {
    "\(isUpperBound == true ? "at most " : "")\(count.grouped) \(subject): \(reason)"
  }

  /// The unit and the owner, as `objects of Image`.
  public var subject: String { "\(unit) \(owner)" }

  private var unit: String {
    switch kind {
    case .objects: count == 1 ? "object of" : "objects of"
    case .values: count == 1 ? "value of" : "values of"
    case .links: count == 1 ? "link of" : "links of"
    case .positions: count == 1 ? "position in" : "positions in"
    case .unmanaged: count == 1 ? "unmanaged value of" : "unmanaged values of"
    case .history, .mirroring: count == 1 ? "row of" : "rows of"
    case .schema: "unmanaged"
    }
  }
}

extension MigrationPlan {
  /// The losses of a source model's objects, where those that another configuration has are named as such.
  ///
  /// A link between objects of two configurations is lost: no store can hold it.
  package func naming(elsewhere losses: [Loss], in source: ManagedObjectModel) -> [Loss] {
    guard let elsewhere = destination.elsewhere else { return losses }
    let configurations = Dictionary(
      uniqueKeysWithValues: elsewhere.map { ($0.entity, Set($0.configurations)) }
    )
    return losses.map { loss in
      let names = loss.owner.split(separator: ".", maxSplits: 1).map(String.init)
      var entities = names.prefix(1).map(\.self)
      switch loss.kind {
      case .objects where loss.cause == .removed: break
      case .links where [.removed, .target].contains(loss.cause) && names.count == 2:
        guard let owner = source.entity(named: names[0]),
          let found = source.relationship(named: names[1], of: owner)
        else { return loss }
        entities.append(found.relationship.destinationEntityName)
      default: return loss
      }
      let common = entities.map { configurations[$0] ?? [] }.reduce(nil) { common, some in
        common.map { $0.intersection(some) } ?? some
      }
      guard let common, !common.isEmpty else { return loss }
      var result = loss
      result.cause = .elsewhere
      result.reason =
        "configuration \(common.sortedByCodeUnit().joined(separator: " and ")) has "
        + "\(entities.joined(separator: " and ")), and its store keeps them"
      return result
    }
  }
}

/// The limit of a migration's losses: objects, values and links, counted together.
public enum LossLimit: Codable, Hashable, Sendable {
  /// At most this many; 0 for none.
  case count(Int64)
  /// Any number of losses.
  case all

  /// The limit of every command and of the library where no other is named: nothing may be lost.
  ///
  /// A plan that was written was not necessarily read, so a loss takes someone who names its limit.
  public static let usual = LossLimit.count(0)

  /// Whether the limit allows a loss.
  public func allows(_ count: Int64) -> Bool {
    switch self {
    case .count(let limit): count <= limit
    case .all: true
    }
  }
}

extension LossLimit: CustomStringConvertible {
  /// The limit as it is typed.
  public var description: String {
    switch self {
    case .count(0): "none"
    case .count(let limit): "\(limit)"
    case .all: "all"
    }
  }
}
