internal import BulkMapping
internal import BulkModel
package import BulkStore

/// What a mapping model that somebody wrote has to do: objects are made anew, entity mapping by entity
/// mapping, then the relationships between them.
package struct InstanceWork: Sendable {
  /// The creation of the objects, in the order in which it runs.
  package let creations: [InstanceCreation]
  /// The highest key that objects of one source object each can get, by destination table; further
  /// objects of a policy get keys behind it.
  package let highestKeys: [String: Int64]
  /// The keys that must be looked at when all objects and their indexes are there.
  package let checks: [ReferenceCheck]
  /// The members of relationships that may fall away.
  package let losses: [RelationshipLoss]
  /// Everything that moves rows, as plans and inspections see it.
  let transfers: TransferSet
  /// What deserves a look, a sentence each.
  let warnings: [String]

  init(
    _ model: MappingModel,
    from source: StoreSchema,
    to destination: StoreSchema,
    of store: PersistentStore
  ) throws(PlanError) {
    let found: InstanceMappings
    let isUTF8: Bool
    do {
      isUTF8 = try store.textEncoding() == "UTF-8"
      found = try InstanceMappings(model, from: source, to: destination, of: store)
    } catch {
      throw .store(error, path: store.path)
    }
    let relationships = MappedRelationships(found.all, from: source, to: destination)
    let attributes = MappedAttributes(
      found.all,
      from: source,
      to: destination,
      isUTF8: isUTF8
    )
    let faults = found.faults + attributes.faults + relationships.faults
    guard faults.isEmpty else { throw .impossibleMapping(faults) }
    let links = LinkResolver(source: source, destination: destination, pairs: [])
    let partners = PartnerBuilder(
      found.all,
      relationships,
      RouteReader(source, links),
      from: source.model,
      to: destination
    )
    do throws(ExpressionFault) {
      creations = try InstanceBuilder(
        found.all,
        from: source,
        to: destination,
        partners: partners,
        attributes: attributes,
        answered: relationships.answered
      ).creations()
    } catch {
      throw .impossibleMapping(["\(error)"])
    }
    highestKeys = found.highestKeys
    var transfers = TransferSet()
    transfers.entityRows = creations.map(\.transfer)
    let pairs = PairBuilder(found.all, relationships, partners, from: source, to: destination)
    transfers.joinRows = pairs.transfers()
    checks = creations.flatMap(\.checks) + pairs.checks()
    losses = creations.flatMap(\.losses) + pairs.losses()
    transfers.orderings = Self.orderings(destination)
    transfers.derivations = destination.derivedAttributes
    self.transfers = transfers
    warnings = relationships.warnings + attributes.risks
  }

  /// Members of ordered relationships get places anew, in the order that the source gives them.
  private static func orderings(_ destination: StoreSchema) -> [MemberOrdering] {
    destination.memberOrderings.map {
      MemberOrdering(
        table: $0.table,
        ownerColumn: $0.ownerColumn,
        memberColumn: $0.memberColumn,
        orderColumn: $0.orderColumn,
        renumbers: true
      )
    }
  }
}
