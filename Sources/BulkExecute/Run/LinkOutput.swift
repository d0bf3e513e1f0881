internal import BulkPlan
internal import BulkStore

/// Writes the resolved links into the rows of the destination.
struct LinkOutput {
  let relationship: LinkedRelationship
  let run: Run

  /// Writes keys into the rows of the objects at an end; links come object by object, with the positions of
  /// ordered members as ranks.
  func write(_ links: @escaping Links, _ end: RelationshipEnd) throws {
    guard case .rows(let all) = relationship.storage,
      let columns = all.first(where: { $0.end == end })
    else { return }
    let names = [columns.key, columns.entity, columns.orderColumn].compactMap(\.self)
    let update = try KeyUpdate(of: columns.table, names, run.session)
    let row = Link.End(end)
    try inBatches(links) { link, _ in
      var values = [link[row.other].object]
      if columns.entity != nil {
        values.append(try entity(of: link[row.other], in: columns.target))
      }
      if columns.orderColumn != nil { values.append(link.rank) }
      try update.run(link[row].object, values)
    }
  }

  func write(_ pairs: LinkResolution.Pairs) throws {
    guard case .pairs(let table) = relationship.storage else { return }
    let columns = [
      table.ownerColumn, table.memberColumn, table.memberOrderColumn, table.ownerOrderColumn,
    ]
    try run.sink.fill(table.name, columns.compactMap(\.self)) { rows in
      try inBatches(pairs.links, beside: pairs.positions) { link, other in
        var values = [link.first.object, link.second.object]
        if table.memberOrderColumn != nil { values.append(link.rank) }
        if let other { values.append(other.rank) }
        try rows.append(row: values)
      }
    }
  }

  /// The number of an object's entity; policies may make objects of subentities.
  private func entity(of object: LinkEnd, in table: String) throws -> Int64 {
    guard let mapping = run.mappings[object.maker] else { return 0 }
    guard mapping.hasPolicy else { return mapping.destinationNumber }
    return try run.lookup.entity(ofRow: object.object, in: table)
      ?? mapping.destinationNumber
  }

  /// A batch per transaction; transactions that an interrupted run committed are replayed.
  private func inBatches(
    _ links: Links,
    beside others: Links? = nil,
    _ body: (Link, Link?) throws -> Void
  ) throws {
    let transactions = run.session.transactions
    var link = try links()
    while link != nil {
      let isWritten = transactions.isReplaying
      func writeBatch() throws {
        var count: Int64 = 0
        while let next = link, count < transactions.batchRows {
          let other = try others?()
          if !isWritten { try body(next, other) }
          count += 1
          link = try links()
        }
      }
      if isWritten { try writeBatch() }
      try transactions.batch { try writeBatch() }
      try run.report()
    }
  }
}
