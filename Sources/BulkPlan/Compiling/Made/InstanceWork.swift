package import BulkMapping
internal import BulkModel
package import BulkStore

/// The work of a custom mapping model: it makes objects, entity mapping by entity mapping, then sets the
/// relationships between them.
package struct InstanceWork: Sendable {
  package let creations: [InstanceCreation]
  /// The highest key that the first object of each source object can get, by destination table; further
  /// objects of a policy get keys after it.
  package let highestKeys: [String: Int64]
  package let recorded: Set<Int>
  package let checks: [ReferenceCheck]
  package let links: [LinkedRelationship]
  /// Those that follow from rows included.
  package let relationships: [LinkedRelationship]
  package let transfers: TransferSet
  package let warnings: [String]
  /// The expressions that may fail, each with its reasons.
  package let risks: [String]
  static let none = InstanceWork()

  private init() {
    (creations, highestKeys, recorded) = ([], [:], [])
    (checks, links, relationships) = ([], [], [])
    (transfers, warnings, risks) = (TransferSet(), [], [])
  }

  package init(
    _ model: MappingModel,
    from source: StoreSchema,
    to destination: StoreSchema,
    of store: PersistentStore,
    options: InstanceOptions
  ) throws(PlanError) {
    let isUTF8 = try PlanError.reading(store.path, try store.textEncoding()) == "UTF-8"
    let found = try InstanceMappings(model, from: source, to: destination) {
      table throws(PlanError) in try PlanError.reading(store.path, try store.keys(in: table))
    }
    try self.init(found, from: source, to: destination, isUTF8: isUTF8, options: options)
  }

  /// On a store that does not exist yet: all that follows from the models is checked.
  package init(
    _ model: MappingModel,
    from source: StoreSchema,
    to destination: StoreSchema,
    options: InstanceOptions = InstanceOptions()
  ) throws(PlanError) {
    let found = InstanceMappings(model, from: source, to: destination) { _ in nil }
    try self.init(found, from: source, to: destination, isUTF8: true, options: options)
  }

  private init(
    _ found: InstanceMappings,
    from source: StoreSchema,
    to destination: StoreSchema,
    isUTF8: Bool,
    options: InstanceOptions
  ) throws(PlanError) {
    let relationships = AssignedRelationships(found.all, from: source, to: destination)
    let partners = PartnerBuilder(
      relationships: relationships,
      source: source,
      destination: destination
    )
    let rows = found.all.map {
      MadeRows(of: $0, partners, isUTF8: isUTF8, evaluates: options.evaluates)
    }
    let faults = found.faults + rows.flatMap(\.faults) + relationships.faults
    guard faults.isEmpty else { throw .impossibleMapping(faults) }
    var made: [InstanceCreation]
    do throws(ExpressionFault) {
      let ordered = options.order.map { names in
        names.compactMap { name in rows.first { $0.mapping.mapping.name == name } }
      }
      made = try (ordered ?? rows).map { rows throws(ExpressionFault) in
        try rows.creation(relationships.answered[rows.mapping.index] ?? [])
      }
    } catch {
      throw .impossibleMapping(["\(error)"])
    }
    var linked = relationships.linked
    if options.linksInRows { Self.writeInRows(&linked, &made, from: source) }
    creations = made
    self.links = linked
    self.relationships = relationships.all
    highestKeys = found.highestKeys
    checks = creations.flatMap(\.checks) + partners.checks()
    recorded = Self.recorded(creations, linked)
    var transfers = TransferSet()
    transfers.entityRows = creations.map(\.transfer)
    transfers.joinRows = partners.transfers()
    transfers.orderings = Self.orderings(destination, creations, relationships.linked)
    self.transfers = transfers
    (warnings, risks) = (relationships.warnings, rows.flatMap(\.risks))
  }

  package var mappingsByIndex: [Int64: InstanceMapping] {
    Dictionary(firstOf: creations.map { (Int64($0.mapping.index), $0.mapping) })
  }

  /// Policies may use any table.
  private static func recorded(
    _ creations: [InstanceCreation],
    _ links: [LinkedRelationship]
  ) -> Set<Int> {
    let possible = Set(creations.filter(\.mapping.isRecorded).map(\.mapping.index))
    guard !creations.contains(where: \.mapping.hasPolicy) else { return possible }
    // Without them the objects of a source object are unknown.
    var needed = creations.map(\.mapping).filter { $0.isMerging || $0.isDividing }.map(\.index)
    // Of a row that several mappings read, it shows which ones took it even if their objects are left out.
    let sources = Dictionary(grouping: creations, by: \.mapping.source.name)
    needed += sources.values.filter { $0.count > 1 }.joined().filter { $0.filter != nil }
      .map(\.mapping.index)
    let inRows = links.filter { $0.rowNumber != nil }
    let later = links.filter { $0.rowNumber == nil }
    return possible.intersection(later.flatMap(\.mappings) + needed)
      .union(inRows.flatMap(\.assignments).flatMap(\.makers).map(\.index))
  }

  /// Members of ordered relationships get new places in their order in the source, unless their
  /// links bring places that stay.
  private static func orderings(
    _ destination: StoreSchema,
    _ creations: [InstanceCreation],
    _ links: [LinkedRelationship]
  ) -> [MemberOrdering] {
    let isFinal = !creations.contains(where: \.mapping.hasPolicy)
    return destination.memberOrderings.filter { ordering in
      !isFinal || !links.contains { $0.orders(ordering) }
    }.map {
      var ordering = MemberOrdering(
        table: $0.table,
        ownerColumn: $0.ownerColumn,
        memberColumn: $0.memberColumn,
        orderColumn: $0.orderColumn
      )
      ordering.renumbers = true
      return ordering
    }
  }
}

extension LinkedRelationship {
  fileprivate func orders(_ ordering: MemberOrdering) -> Bool {
    switch storage {
    case .rows(let columns):
      columns.contains { $0.table == ordering.table && $0.orderColumn == ordering.orderColumn }
    case .pairs(let table): table.name == ordering.table
    }
  }
}

/// Choices in how objects are made.
package struct InstanceOptions: Sendable {
  /// Whether rows get the keys of the objects that their links lead to while they are written, where that is
  /// possible; otherwise when all objects exist.
  var linksInRows = false
  var evaluates = false
  /// `nil` for the order of the mapping model.
  var order: [String]?
}
