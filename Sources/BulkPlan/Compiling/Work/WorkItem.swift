internal import BulkMapping
package import BulkStore

/// One thing that is done on the way from a source to its destination; a stage of the run does all of a kind.
package enum WorkItem: Sendable {
  // MARK: A copy of the source

  case copy
  case statement(String)
  case update(TableChange)
  /// Rows of the history and of CloudKit's tables follow the entities.
  case ancillary

  // MARK: A new file

  case tables
  /// Policies make the objects of entity mappings without a source.
  case objectsOfNothing
  /// Objects are written that have the keys of their source rows.
  case rows(RowTransfer)
  /// An entity mapping makes its objects.
  ///
  /// The keys of the objects to which its rows lead, and which of them become one, are found first.
  case objects(InstanceCreation)
  /// A relationship is set that depends on all assignments to it.
  case links(LinkedRelationship)
  case relations(InstanceCreation)
  case pairs(RowTransfer)
  case endOfPass

  // MARK: When all rows are there

  case index(SchemaIndex)
  /// Keys that lead to no object are repaired.
  case reference(ReferenceCheck)
  /// Members of an ordered relationship get their positions.
  case positions(MemberOrdering)
  case derived(DerivedAttribute)
  /// Rules are checked; objects that violate them are left out, or nothing is made.
  case validation
  /// Indexes that objects violated which are left out are made, and derived attributes computed without these objects.
  case repair
  /// Something is made that a store has beside objects.
  case part(StoreDefinition.Part)
}

extension WorkItem {
  /// `nil` for another item.
  package var creation: InstanceCreation? {
    if case .objects(let creation) = self { creation } else { nil }
  }

  /// Whether a rehearsal does it, which finds the objects that are left out, and what is lost; of a sample only the
  /// values.
  package func isRehearsed(ofSample isSample: Bool) -> Bool {
    switch self {
    case .tables, .rows, .objects: true
    case .objectsOfNothing, .links, .relations, .pairs, .endOfPass, .index, .reference, .validation:
      !isSample
    case .copy, .statement, .update, .ancillary, .positions, .derived, .repair, .part: false
    }
  }

  /// Whether it reads and changes no row of a copy of the source, but for those of the history and of CloudKit.
  var isOfSchema: Bool {
    switch self {
    case .copy, .statement, .ancillary, .validation, .repair, .part: true
    case .tables, .rows, .objects, .objectsOfNothing, .links, .relations, .pairs, .endOfPass,
      .index, .reference, .update, .positions, .derived:
      false
    }
  }

  /// `nil` if it fills no table that may be written as pages.
  func fill(of work: StepWork, streaming streamed: Set<String>) -> RowFill? {
    switch self {
    case .rows(let transfer), .pairs(let transfer):
      RowFill(by: transfer, streamsLargeValues: streamed.contains(transfer.source))
    case .objects(let creation): creation.fill(of: work, streaming: streamed)
    case .links(let link):
      if case .pairs(let table) = link.storage {
        RowFill(table.name, table.columns)
      } else {
        nil
      }
    case .part(.table(let table)) where work.unmanagedTables.history.contains(table):
      RowFill(table.name, table.columns.map(\.name))
    default: nil
    }
  }
}

extension InstanceCreation {
  fileprivate func fill(of work: StepWork, streaming streamed: Set<String>) -> RowFill {
    let streams = streamed.contains(transfer.source)
    let isChanged = work.instances.links.contains { $0.tables.contains(mapping.destinationTable) }
    let keys = isChanged ? nil : mapping.keys
    guard !isTransfer else { return RowFill(by: transfer, streamsLargeValues: streams, keys: keys) }
    let shape = EntityRowShape(mapping.destination, in: work.destination)
    return RowFill(
      shape.table,
      shape.columns,
      streamsLargeValues: streams && !mapping.isDividing,
      keys: keys
    )
  }
}

extension WorkItem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .copy: "copy the file"
    case .statement(let sql): sql
    case .update(let change):
      "set \(change.values.map(\.column).joined(separator: ", ")) in \(change.destination)"
    case .ancillary: "change the history and the records of CloudKit"
    case .tables: "make the tables"
    case .objectsOfNothing: "make the objects of policies without a source"
    case .rows(let transfer), .pairs(let transfer):
      "write \(transfer.destination) from \(transfer.source)"
    case .objects(let creation):
      "make \(creation.transfer.destination) from \(creation.transfer.source) by \(creation.mapping.mapping.name)"
    case .links(let link): "set \(link.form.first)"
    case .relations(let creation):
      "let the policy of \(creation.mapping.mapping.name) set relationships"
    case .endOfPass: "end the pass"
    case .index(let index): "make index \(index.name)"
    case .reference(let check): "check the keys \(check.table).\(check.column)"
    case .positions(let ordering): "assign the positions \(ordering.table).\(ordering.orderColumn)"
    case .derived(let attribute): "derive \(attribute.table).\(attribute.column)"
    case .validation: "check the rules"
    case .repair: "repair what objects that are left out change"
    case .part(let part): "make \(part)"
    }
  }
}
