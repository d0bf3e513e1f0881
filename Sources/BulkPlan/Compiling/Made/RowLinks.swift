internal import BulkSQLite
internal import BulkStore

extension InstanceWork {
  static func writeInRows(
    _ links: inout [LinkedRelationship],
    _ creations: inout [InstanceCreation],
    from source: StoreSchema
  ) {
    // A policy may change rows, and make objects, at any time.
    guard !creations.contains(where: \.mapping.hasPolicy) else { return }
    let known = Set(creations.filter { $0.knowsRows(in: source) }.map(\.mapping.index))
    for index in links.indices where links[index].canBeInRows(known) {
      guard case .rows(let all) = links[index].storage, let columns = all.first else { continue }
      links[index].rowNumber = index
      for assignment in links[index].assignments {
        guard let key = assignment.keyInRow else { continue }
        for number in creations.indices
        where creations[number].mapping.index == assignment.mapping.index {
          creations[number].link(columns, index, key)
        }
      }
    }
  }
}

extension LinkedRelationship {
  /// Whether each row's object follows from the row and from objects that can be known before, of the mappings in
  /// `known`: only the rows that have the column assign the relationship, each once, and objects do not wait for
  /// other rows.
  fileprivate func canBeInRows(_ known: Set<Int>) -> Bool {
    guard case .rows(let all) = storage, all.count == 1, let columns = all.first,
      columns.orderColumn == nil
    else { return false }
    switch form {
    case .toOne, .oneToMany: break
    case .oneToOne, .manyToMany: return false
    }
    return assignments.allSatisfy { assignment in
      let mapping = assignment.mapping
      guard assignment.end == columns.end, !mapping.isMerging, !mapping.isDividing else {
        return false
      }
      return assignment.query == nil
        || assignment.keyInRow != nil
          && assignment.makers.allSatisfy { $0.derivesKeys && known.contains($0.index) }
    }
  }
}

extension LinkedRelationship.Assignment {
  /// `nil` where it is elsewhere, or nothing is assigned.
  fileprivate var keyInRow: ColumnExpression? {
    guard let query, query.steps.count < 2 else { return nil }
    guard let step = query.steps.first else { return .column("Z_PK") }
    guard step.table == query.start, step.nearColumn == "Z_PK", !step.isSymmetric else {
      return nil
    }
    return .column(step.farColumn)
  }
}

extension InstanceCreation {
  fileprivate func knowsRows(in source: StoreSchema) -> Bool {
    filter == nil || grouping != nil || filterOfRecords(by: nil, in: source) != nil
  }

  fileprivate mutating func link(
    _ columns: LinkedRelationship.Columns,
    _ number: Int,
    _ key: ColumnExpression
  ) {
    values.transfer.assignments.append(.init(columns.key, .linked(number, .key, key: key)))
    if let entity = columns.entity {
      values.transfer.assignments.append(.init(entity, .linked(number, .entityNumber, key: key)))
    }
  }
}

extension InstanceWork {
  func findsLinks(in creation: InstanceCreation) -> Bool {
    links.contains { link in
      link.rowNumber != nil
        && link.assignments.contains {
          $0.mapping.index == creation.mapping.index && $0.query != nil
        }
    }
  }
}
