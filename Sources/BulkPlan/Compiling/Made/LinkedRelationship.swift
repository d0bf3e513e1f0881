package import BulkModel
package import BulkStore

/// A relationship whose objects follow from all assignments to it and its inverse, in their order.
package struct LinkedRelationship: Sendable {
  /// Columns with the keys of the objects at the other end.
  package struct Columns: Sendable {
    package let end: RelationshipEnd
    package let table: String
    package let key: String
    /// Where they may differ.
    package let entity: String?
    /// Where the relationship is ordered at the other end.
    package let orderColumn: String?
    package let target: String
  }

  package enum Storage: Sendable {
    /// In the rows of the objects at one end, or at both.
    case rows([Columns])
    /// In a join table, whose owners are at the first end.
    case pairs(JoinTable)
  }

  /// An assignment by an entity mapping.
  package struct Side: Sendable {
    package let end: RelationshipEnd
    package let mapping: InstanceMapping
    /// The index among the relationships of the mapping; the least one of all mappings that share their
    /// objects.
    package let position: Int
    package let makers: [InstanceMapping]
    /// `nil` if nothing is assigned.
    package let query: LinkQuery?
    var isPath: Bool { (query?.steps.count ?? 0) > 1 }
    package let key: PropertyKey
    /// As `Entity.relationship`.
    package var name: String { "\(mapping.destination.name).\(key.property)" }
    /// Whether it leads to one object, so that a source object must not give several
    /// (formats/migration.md 8.11).
    package let takesOne: Bool
  }

  package let form: RelationshipForm
  package let storage: Storage
  package let sides: [Side]
  package let isOrdered: Bool
  package let isInverseOrdered: Bool
  /// Rows find its objects under it while they are written; `nil` where it is set when all objects exist.
  package internal(set) var rowNumber: Int?

  /// Or the assignment of one that shares the mapping's objects; `nil` where there is none.
  package func side(assigning maker: Int64, at end: RelationshipEnd) -> Side? {
    sides.first { Int64($0.mapping.firstSharing) == maker && (form.isSelfInverse || $0.end == end) }
  }

  package var mappings: Set<Int> {
    Set(sides.flatMap { [$0.mapping.index] + $0.makers.map(\.index) })
  }

  /// Rows of these change when all objects exist.
  package var tables: Set<String> {
    guard rowNumber == nil else { return [] }
    return switch storage {
    case .rows(let columns): Set(columns.map(\.table))
    case .pairs(let table): [table.name]
    }
  }
}

extension LinkedRelationship {
  /// `nil` where the relationship is not stored.
  init?(
    _ sides: RelationshipSides,
    from source: StoreSchema,
    to destination: StoreSchema
  ) {
    form = sides.form
    guard let storage = Storage.stored(sides.form, in: destination) else { return nil }
    self.storage = storage
    isOrdered = destination.model.isOrdered(sides.form.first)
    isInverseOrdered = sides.form.second.map(destination.model.isOrdered) ?? false
    self.sides = sides.all.map { side in
      let key = side.end == .first ? sides.form.first : sides.form.second ?? sides.form.first
      return Side(
        end: side.end,
        mapping: side.mapping,
        position: sides.at(side.end)
          .filter { $0.mapping.firstSharing == side.mapping.firstSharing }
          .map(\.relationship.position).min() ?? side.relationship.position,
        makers: side.relationship.makers,
        query: side.objects.flatMap { LinkQuery($0.path, of: side.mapping, in: source) },
        key: key,
        takesOne: sides.form.isToOne(side.end) && !side.relationship.takesFirst
      )
    }
  }
}

extension ManagedObjectModel {
  package func isOrdered(_ key: PropertyKey) -> Bool {
    relationship(key)?.isOrdered ?? false
  }
}

extension LinkedRelationship.Storage {
  /// `nil` where it is not stored.
  fileprivate static func stored(_ form: RelationshipForm, in schema: StoreSchema) -> Self? {
    func rows(_ ends: [(PropertyKey, RelationshipEnd)]) -> Self? {
      let columns = ends.compactMap { LinkedRelationship.Columns($0, at: $1, in: schema) }
      return columns.count == ends.count ? .rows(columns) : nil
    }
    switch form {
    case .toOne(let key): return rows([(key, .first)])
    case .oneToOne(let first, let second):
      return rows(first == second ? [(first, .first)] : [(first, .first), (second, .second)])
    case .oneToMany(let key, nil):
      guard
        case .hiddenForeignKey(let table, let column, let orderColumn) = schema.storage(of: key),
        let owner = schema.model.entity(named: key.entity)
      else { return nil }
      return .rows([
        LinkedRelationship.Columns(
          end: .second,
          table: table,
          key: column,
          entity: nil,
          orderColumn: orderColumn,
          target: schema.table(of: owner).name
        )
      ])
    case .oneToMany(_, let inverse?): return rows([(inverse, .second)])
    case .manyToMany(let key, _):
      guard case .join(let table, _) = schema.storage(of: key) else { return nil }
      return .pairs(table)
    }
  }
}

extension LinkedRelationship.Columns {
  fileprivate init?(_ toOne: PropertyKey, at end: RelationshipEnd, in schema: StoreSchema) {
    guard
      case .foreignKey(let table, let column, let entity) = schema.storage(of: toOne),
      let target = schema.target(of: toOne)?.table
    else { return nil }
    self.init(
      end: end,
      table: table,
      key: column,
      entity: entity,
      orderColumn: schema.orderColumn(behindToOne: toOne),
      target: target
    )
  }
}

extension LinkQuery {
  /// `nil` where a relationship of the path is not stored.
  fileprivate init?(_ path: RelationshipPath, of mapping: InstanceMapping, in source: StoreSchema) {
    let steps = path.links.compactMap { source.rows(of: $0) }
    guard steps.count == path.links.count else { return nil }
    self.init(
      from: mapping.sourceTable,
      ofEntity: mapping.isRecorded ? nil : mapping.sourceNumber,
      along: steps
    )
  }
}
