internal import BulkModel

extension StoreSchema {
  /// The R-trees of the store: fetch indexes of that kind, and those of locations (formats/store.md 7.11, 7.12).
  package var rTrees: [RTree] {
    var seen: Set<String> = []
    return numbering.entities.flatMap { fetched(of: $0) + located(of: $0) }
      .filter { seen.insert($0.name.uppercased()).inserted }
  }

  /// The names of the tables of the model, with those of R-trees and their triggers, in upper case, since SQLite ignores
  /// case.
  package var tableNames: Set<String> {
    Set((entityTables.map(\.name) + joinTables.map(\.name)).map { $0.uppercased() })
      .union(rTrees.flatMap(\.allNames))
  }

  private func fetched(of entity: EntityDescription) -> [RTree] {
    entity.indexes.filter { index in index.elements.allSatisfy { $0.kind == .rTree } }
      .compactMap { index in
        let names = index.elements.compactMap { element -> String? in
          if case .property(let name) = element.subject { name } else { nil }
        }
        guard names.count == index.elements.count else { return nil }
        return tree("Z_\(entity.name)_\(index.name)", of: entity, over: names, isOfLocation: false)
      }
  }

  private func located(of entity: EntityDescription) -> [RTree] {
    entity.attributes.filter { $0.isTransient && $0.attributeType == .undefined }
      .compactMap { attribute in
        let name = "Z_RT_\(entity.name)_\(attribute.name)"
        return tree(name, of: entity, over: attribute.locationComponents, isOfLocation: true)
      }
  }

  /// The tree of some attributes; `nil` if it has no column, or one has none, or they are too many.
  private func tree(
    _ name: String,
    of entity: EntityDescription,
    over attributes: [String],
    isOfLocation: Bool
  ) -> RTree? {
    let columns = attributes.compactMap { column(named: $0, in: entity) }
    guard columns.count == attributes.count, 1...RTree.mostColumns ~= columns.count else {
      return nil
    }
    return RTree(
      name: name,
      table: table(of: entity).name,
      columns: columns,
      isOfLocation: isOfLocation
    )
  }
}
