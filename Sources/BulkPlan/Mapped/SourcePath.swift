package import BulkModel
package import BulkStore

/// A path of to-one relationships from a source entity to an attribute.
package struct SourcePath: Sendable {
  /// The attribute at the end.
  package let attribute: AttributeDescription
  /// Its column's value, in SQL over a row of the entity.
  package let value: ColumnExpression

  /// The path of a text; `nil` where it does not lead to a stored attribute.
  package init?(_ path: String, from entity: EntityDescription, in schema: StoreSchema) {
    var names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let last = names.popLast() else { return nil }
    let model = schema.model
    guard
      case .success(let route) = SourceRoute.find(names, from: entity, in: model),
      route.hops.allSatisfy({ model.isToOne($0.key) })
    else { return nil }
    let links = LinkResolver(source: schema, destination: schema, pairs: [])
    for owner in model.lineage(of: route.end) {
      guard
        let attribute = owner.attributes.first(where: { $0.name == last }),
        let column = schema.column(.attribute(PropertyKey(owner.name, last), element: []))
      else { continue }
      self.attribute = attribute
      if route.hops.isEmpty {
        value = .column(column)
      } else {
        guard let key = RouteReader(schema, links).key(route) else { return nil }
        value = .columnOfRow(column, in: schema.table(of: route.end).name, key: key)
      }
      return
    }
    return nil
  }
}

extension ManagedObjectModel {
  fileprivate func isToOne(_ key: PropertyKey) -> Bool {
    entity(named: key.entity)?.relationships.first { $0.name == key.property }
      .map { !$0.isToMany } ?? false
  }
}
