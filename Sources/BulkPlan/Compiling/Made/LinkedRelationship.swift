package import BulkModel
package import BulkStore

/// A relationship of the destination with its inverse, and the assignments of entity mappings to either.
///
/// Core Data assigns one relationship after the other, and each assignment changes the inverse too, so its objects
/// follow from all assignments in their order.
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

  package struct Assignment: Sendable {
    package let mapping: InstanceMapping
    package let key: PropertyKey
    package let end: RelationshipEnd
    /// The index among the relationships of the mapping, which are assigned in that order; the least one of all
    /// mappings that share their objects.
    package fileprivate(set) var position: Int
    /// From the source object to those of which the assigned objects are made; `nil` if nothing is assigned.
    let path: RelationshipPath?
    /// The mappings that make these: source object by source object, and for each in the order of the mappings.
    package let makers: [InstanceMapping]
    /// `nil` if nothing is assigned.
    package let query: LinkQuery?
    /// The function of the policy that names the objects; then nothing else assigns any.
    package let function: (selector: String, arguments: [ValueExpression])?
    package let takesFirst: Bool
    /// Whether it leads to one object, so that a source object must not give several
    /// (formats/migration.md 8.11).
    package let takesOne: Bool

    package var isPath: Bool { (query?.steps.count ?? 0) > 1 }
    /// As `Entity.relationship`.
    package var name: String { "\(mapping.destination.name).\(key.property)" }

    func leads(to other: InstanceMapping) -> Bool { makers.contains { $0.index == other.index } }

    var hasDistinctMakers: Bool { Set(makers.map(\.source.name)).count == makers.count }
  }

  package let form: RelationshipForm
  package let storage: Storage
  /// Those to the relationship come first, each in the order of the mappings.
  package let assignments: [Assignment]
  package let isOrdered: Bool
  package let isInverseOrdered: Bool
  /// Rows find its objects under it while they are written; `nil` where it is set when all objects exist.
  package internal(set) var rowNumber: Int?

  /// `nil` where the relationship is not stored.
  init?(_ form: RelationshipForm, _ assignments: [Assignment], in schema: StoreSchema) {
    guard let storage = Storage.stored(form, in: schema) else { return nil }
    (self.form, self.storage) = (form, storage)
    isOrdered = schema.model.isOrdered(form.first)
    isInverseOrdered = form.second.map(schema.model.isOrdered) ?? false
    let arranged =
      assignments.filter { $0.end == .first } + assignments.filter { $0.end == .second }
    self.assignments = arranged.map { assignment in
      var result = assignment
      let sharing = arranged.filter {
        $0.end == result.end && $0.mapping.firstSharing == result.mapping.firstSharing
      }
      result.position = sharing.map(\.position).min() ?? result.position
      return result
    }
  }

  /// All where the relationship is its own inverse.
  func assignments(at end: RelationshipEnd) -> [Assignment] {
    assignments.filter { isAssigned($0, at: end) }
  }

  private func isAssigned(_ assignment: Assignment, at end: RelationshipEnd) -> Bool {
    form.isSelfInverse || assignment.end == end
  }

  /// `nil` where the mapping leaves the relationship alone.
  func assignment(by mapping: InstanceMapping, at end: RelationshipEnd) -> Assignment? {
    assignments.first { $0.mapping.index == mapping.index && isAssigned($0, at: end) }
  }

  /// By the first of all mappings that share their objects; `nil` where there is none.
  package func assignment(sharedBy maker: Int64, at end: RelationshipEnd) -> Assignment? {
    assignments.first { Int64($0.mapping.firstSharing) == maker && isAssigned($0, at: end) }
  }

  package var mappings: Set<Int> {
    Set(assignments.flatMap { [$0.mapping.index] + $0.makers.map(\.index) })
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

extension ManagedObjectModel {
  fileprivate func isOrdered(_ key: PropertyKey) -> Bool { relationship(key)?.isOrdered ?? false }
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
    case .oneToMany(let key, let inverse): return rows([(inverse ?? key, .second)])
    case .manyToMany(let key, _):
      guard case .join(let table, _) = schema.storage(of: key) else { return nil }
      return .pairs(table)
    }
  }
}

extension LinkedRelationship.Columns {
  /// Of a to-many relationship without an inverse the members hold the owner's key.
  fileprivate init?(_ key: PropertyKey, at end: RelationshipEnd, in schema: StoreSchema) {
    guard let found = schema.rows(of: key) else { return nil }
    let rows = found.isInNearRow ? found : found.reversed
    guard rows.isInNearRow else { return nil }
    self.init(
      end: end,
      table: rows.table,
      key: rows.farColumn,
      entity: rows.farEntityColumn,
      orderColumn: rows.nearPositionColumn,
      target: rows.farTable
    )
  }
}
