internal import BulkModel
internal import BulkStore

/// The contents of a source file that some work does not read.
///
/// It checks the executed work, column by column of the file. The steps of the work give each
/// finding its reason, where they have one.
struct SourceAccount {
  private let work: MigrationWork
  private let trace: LossTrace
  private let schema: StoreSchema
  let reads: WorkReads
  private let readers: EntityReaders
  /// The losses of values and of links that the steps know, by the properties of the source.
  private let known: [PropertyKey: [LossTrace.UncountedLoss]]

  init(_ work: MigrationWork, _ trace: LossTrace) {
    self.work = work
    self.trace = trace
    schema = work.layout.schema
    reads = WorkReads(work.step)
    readers = EntityReaders(work.mapping)
    var known: [PropertyKey: [LossTrace.UncountedLoss]] = [:]
    for loss in trace.found {
      for key in Set(loss.provenance.parts.compactMap(\.property)) {
        known[key, default: []].append(loss)
      }
    }
    self.known = known
  }

  /// The columns that nothing reads in the rows of some entity; a row that becomes no object is
  /// lost with all of its columns.
  func columns() -> [LossTrace.UncountedLoss] {
    var found = unmanagedColumns() + positionsOfPairs()
    for entity in schema.numbering.entities {
      let number = schema.numbering.number(of: entity.name)
      guard reads.entities.contains(number) else { continue }
      let table = schema.table(of: entity)
      let own = schema.columns(of: entity)
      let conditions = isWhole(entity.name) ? nil : conditions(of: entity.name)
      let isExact = isWhole(entity.name) || conditions != nil
      func isRead(_ column: String?) -> Bool {
        column.map { reads.reads($0, of: table.name, ofEntity: number) } ?? false
      }
      for column in table.columns where own.contains(column.name) && !isRead(column.name) {
        let part = SourcePart.column(column.name, ofEntity: entity.name, where: conditions)
        switch column.role {
        case .attribute(let key):
          found.append(values(column.name, PropertyKey(entity.name, key.property)))
        case .orderKey(let owner):
          let toOne = schema.model.inverseKey(of: owner)
          guard isRead(toOne.flatMap { schema.column(.foreignKey($0)) }) else { continue }
          found.append(Self.positions(part, owner, isExact: isExact))
        case .hiddenOrderKey(let owner):
          guard isRead(schema.column(.hiddenForeignKey(owner))) else { continue }
          found.append(Self.positions(part, owner, isExact: isExact))
        case .primaryKey, .entity, .version, .foreignKey, .foreignEntity, .hiddenForeignKey,
          .unmanaged:
          continue
        }
      }
    }
    return LossTrace.UncountedLoss.joined(found)
  }

  /// The values in a column of an entity's rows; a row that a filter leaves out is lost as a whole.
  private func values(
    _ column: String,
    _ key: PropertyKey
  ) -> LossTrace.UncountedLoss {
    let known = self.known[key]?.first { $0.kind == .values }
    let conditions = isWhole(key.entity) ? nil : conditions(of: key.entity)
    let provenance = Provenance([.column(column, ofEntity: key.entity, where: conditions)])
    let isExact = conditions != nil || isWhole(key.entity) && known?.provenance.isExact ?? true
    return LossTrace.UncountedLoss(
      step: known?.step ?? 1,
      kind: .values,
      owner: known?.owner ?? "\(key)",
      provenance: isExact ? provenance : provenance.atMost,
      cause: known?.cause ?? .removed,
      reason: known?.reason ?? LossTrace.nothingIsMade
    )
  }

  /// The conditions of the rows that entity mappings take of an entity; `nil` where conditions alone do not show them.
  private func conditions(of entity: String) -> [[ColumnExpression]]? {
    let creations = work.instances.creations.filter { $0.mapping.source.name == entity }
    guard !creations.isEmpty, creations.allSatisfy(\.isKnown) else { return nil }
    return creations.map(\.transfer.conditions)
  }

  /// Whether every object of an entity has the same outcome.
  private func isWhole(_ name: String) -> Bool {
    guard work.made != nil, let entity = schema.model.entity(named: name) else { return true }
    return !readers.read(entity) || readers.migrateAll(entity)
  }

  private static func positions(
    _ part: SourcePart,
    _ owner: PropertyKey,
    isExact: Bool = true
  ) -> LossTrace.UncountedLoss {
    LossTrace.UncountedLoss(
      kind: .positions,
      owner: "\(owner)",
      provenance: isExact ? Provenance([part]) : Provenance([part]).atMost,
      cause: .removed,
      reason: "the members have no order in the destination"
    )
  }

  private func positionsOfPairs() -> [LossTrace.UncountedLoss] {
    schema.joinTables.flatMap { table in
      [(table.memberOrderColumn, table.owner), (table.ownerOrderColumn, table.inverse)]
        .compactMap { column, owner in
          let all = reads.entities.sorted()
          guard let column,
            reads.reads(StoredColumn(table.ownerColumn, of: table.name), from: all),
            !reads.reads(StoredColumn(column, of: table.name), from: all)
          else { return nil }
          return Self.positions(.columnOfPairs(column, table: table.name), owner)
        }
    }
  }

  private func unmanagedColumns() -> [LossTrace.UncountedLoss] {
    schema.entityTables.flatMap { table in
      (work.layout.unmanagedColumns[table.name] ?? []).map { column in
        let numbers = schema.entityNumbers(in: table).intersection(reads.entities).sorted()
          .filter { !reads.reads(column.name, of: table.name, ofEntity: $0) }
        return LossTrace.UncountedLoss(
          kind: .unmanaged,
          owner: "\(table.name).\(column.name)",
          provenance: Provenance(
            numbers.map { .column(column.name, ofEntity: schema.entityName(ofNumber: $0)) }
          ),
          cause: .leftBehind,
          reason: (column.isDeferred ? "Core Data's deferred migration removed it, and " : "")
            + "the table is removed or rebuilt, or needs the name"
        )
      }
    }
  }

  struct Unread {
    let links: CarriedLinks
    /// The losses that the steps know, in their order.
    let known: [LossTrace.UncountedLoss]
    let other: LossTrace.UncountedLoss
  }

  /// The links that may be lost in part, where rows keep their keys.
  func links() -> [Unread] {
    let carriers = LinkCarriers(work.transfers)
    return sourceLinks().compactMap { links in
      let carried = CarriedLinks(links, by: carriers, reads)
      guard !carried.areAll else { return nil }
      let known = (known[links.key] ?? []).filter { $0.kind == .links }
      return Unread(links: carried, known: known, other: other(links, carried))
    }
  }

  /// The links of all relationships, each once; those in rows that become no object are lost with
  /// these.
  private func sourceLinks() -> [SourceLinks] {
    SourceLinks.all(in: schema).compactMap { links in
      guard let holders = links.holders else { return links }
      guard links.rows.nearColumn == "Z_PK" else {
        // The key is in the members' rows.
        return links.leading(to: reads.entities)
      }
      return reads.entities.isSuperset(of: holders) ? links : nil
    }
  }

  private func other(_ links: SourceLinks, _ carried: CarriedLinks) -> LossTrace.UncountedLoss {
    let gone = [links.near, links.far].first { reads.entities.isDisjoint(with: $0) }
    let names = (gone ?? []).map(schema.entityName(ofNumber:)).joined(separator: ", ")
    return LossTrace.UncountedLoss(
      kind: .links,
      owner: "\(links.key)",
      provenance: Provenance([.links(links.key, to: nil)]),
      cause: gone != nil || carried.areSome ? .target : .removed,
      reason: gone != nil
        ? "objects of \(names) are not migrated"
        : carried.areSome
          ? "the relationship does not lead to such objects any more" : LossTrace.nothingIsMade
    )
  }
}

extension LossTrace.UncountedLoss {
  static func joined(_ losses: [LossTrace.UncountedLoss]) -> [LossTrace.UncountedLoss] {
    var result: [LossTrace.UncountedLoss] = []
    var owners: [String: [Int]] = [:]
    for loss in losses {
      let same = owners[loss.owner, default: []].first { result[$0].isSame(as: loss) }
      if let same {
        result[same].provenance.add(loss.provenance)
      } else {
        owners[loss.owner, default: []].append(result.count)
        result.append(loss)
      }
    }
    return result
  }

  private func isSame(as other: LossTrace.UncountedLoss) -> Bool {
    step == other.step && kind == other.kind && owner == other.owner && cause == other.cause
      && reason == other.reason
  }
}
