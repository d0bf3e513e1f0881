package import BulkStore
internal import BulkMapping
internal import BulkModel

/// How the destination implements the indexes of its model, where that depends on the source.
///
/// Old and new versions of Core Data differ in two things, and a table that moves keeps its form: uniqueness
/// constraints in the table's statement stay there, and a join table without a second index gets none.
package struct IndexStyle: Sendable {
  package let indexes: [SchemaIndex]
  /// Of tables' statements, by destination table.
  package let constraints: [String: [[String]]]

  init(_ destination: StoreSchema) {
    indexes = destination.indexes
    constraints = [:]
  }

  init(
    _ file: FileSchema,
    from source: StoreSchema,
    to destination: StoreSchema,
    _ transfers: TransferSet
  ) {
    let unique = destination.indexes.filter(\.isUnique)
    var constraints: [String: [[String]]] = [:]
    for transfer in transfers.entityRows {
      let columns = transfer.carriedColumns
      for constraint in file.table(named: transfer.source)?.uniqueConstraints ?? [] {
        let moved = constraint.compactMap { columns[$0.uppercased()] }
        let isRequired = unique.contains {
          $0.table == transfer.destination && $0.terms.map(\.column) == moved
        }
        if isRequired { constraints[transfer.destination, default: []].append(moved) }
      }
    }
    let indexed = Set(file.objects.filter { $0.kind == .index }.map(\.table))
    let without = Set(source.joinTables.map(\.name).filter { !indexed.contains($0) })
    // The join tables that continue one without a second index.
    let bare = Set(transfers.joinRows.filter { without.contains($0.source) }.map(\.destination))
    self.constraints = constraints
    indexes = destination.indexes.filter { index in
      let stated = constraints[index.table] ?? []
      let isStated = index.isUnique && stated.contains(index.terms.map(\.column))
      return !isStated && !bare.contains(index.table)
    }
  }
}

extension StoreSchema {
  /// The tables of a step's destination.
  ///
  /// Their names are those of a new store, where Core Data looks for them (formats/store.md 6.5). Attributes keep
  /// the form of their columns, and a join table that a mapping continues the order of its columns, as Core Data
  /// renames such a table. A store that an older framework named by rules of its own keeps that order of names.
  init(
    _ destination: ManagedObjectModel,
    continuing source: StoreSchema,
    by mapping: MappingModel,
    _ frameworkVersion: Int64
  ) {
    let successors = Self.successors(mapping, source.model, destination)
    var naming = StoreNaming(attributes: source.naming.attributes)
    if StoreNaming.followsOlderRules(frameworkVersion), !source.misnamed.isEmpty {
      naming.owners = source.orderOfClaims.compactMap { successors[$0] }
    }
    self.init(destination, naming: naming)
    for table in source.joinTables {
      guard
        let successor = successors[table.owner],
        source.model.orderOfSides(table.owner) == destination.orderOfSides(successor)
      else { continue }
      arrangeJoinTable(of: successor, as: table.arrangement)
    }
  }

  /// The first one that continues each relationship of the source.
  private static func successors(
    _ mapping: MappingModel,
    _ source: ManagedObjectModel,
    _ destination: ManagedObjectModel
  ) -> [PropertyKey: PropertyKey] {
    var result: [PropertyKey: PropertyKey] = [:]
    for (mapping, from, entity) in mapping.continuations(from: source, to: destination) {
      for property in mapping.relationshipMappings {
        guard let name = mapping.copiedRelationship(for: property.name),
          let before = source.relationship(named: name, of: from),
          let now = destination.relationship(named: property.name, of: entity)
        else { continue }
        let key = PropertyKey(before.owner.name, before.relationship.name)
        guard result[key] == nil else { continue }
        result[key] = PropertyKey(now.owner.name, now.relationship.name)
      }
    }
    return result
  }
}

extension ManagedObjectModel {
  fileprivate func orderOfSides(_ key: PropertyKey) -> [Bool] {
    guard let relationship = relationship(key) else { return [] }
    return [relationship.isOrdered, inverse(of: relationship)?.relationship.isOrdered ?? false]
  }
}
