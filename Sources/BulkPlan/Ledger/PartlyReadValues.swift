internal import BulkLowering
internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// The values of a column that some entity mappings of an entity read and others do not: they are
/// lost in rows that only the others read.
struct PartlyReadValues {
  /// The reason why they are lost.
  static let reason = "the entity mappings that make something of their objects do not read them"

  /// The attribute, with the entity of the objects.
  let key: PropertyKey
  private let table: String
  private let column: String
  private let conditions: [RowTransfer.Condition]
  private let readers: [InstanceCreation]
  private let others: [InstanceCreation]

  /// The columns that are partly read.
  static func all(in work: MigrationWork, _ reads: WorkReads) -> [PartlyReadValues] {
    let schema = work.layout.schema
    let bySource = Dictionary(grouping: work.instances.creations, by: \.mapping.source.name)
    return bySource.sorted { $0.key < $1.key }.flatMap { name, creations -> [PartlyReadValues] in
      guard creations.count > 1, let entity = schema.model.entity(named: name) else { return [] }
      let table = schema.table(of: entity)
      let own = schema.columns(of: entity)
      return table.columns.filter { own.contains($0.name) }.compactMap {
        column -> PartlyReadValues? in
        guard case .attribute(let key) = column.role else { return nil }
        let isReader = { (creation: InstanceCreation) in
          reads.reads(column.name, of: table.name, by: creation.mapping)
        }
        let others = creations.filter { !isReader($0) }
        let readers = creations.filter(isReader)
        guard !others.isEmpty, !readers.isEmpty,
          !readers.contains(where: { $0.readsEach && $0.mapping.isDividing })
        else { return nil }
        return PartlyReadValues(
          key: PropertyKey(name, key.property),
          table: table.name,
          column: column.name,
          conditions: [
            .entityIn([schema.numbering.number(of: name)]), .notNull(.column(column.name)),
          ],
          readers: readers,
          others: others
        )
      }
    }
  }

  /// Whether an entity mapping that reads them makes an object of every row that has a value.
  var areReadInAllRows: Bool {
    readers.contains { reader in
      guard !reader.mapping.hasPolicy, !reader.mapping.isDividing, !reader.mapping.isMerging,
        reader.filter == nil
      else { return false }
      return reader.transfer.conditions.allSatisfy { conditions.contains($0) || $0 == isSet }
    }
  }

  /// The filter of a mapping that takes the objects with a value.
  private var isSet: RowTransfer.Condition { .satisfies(.not(.isNull(.column(column)))) }

  /// The number that a plan foresees, and whether fewer may be lost.
  func foreseen(_ counts: SourceCounts) throws(StoreError) -> (count: Int64, isUpperBound: Bool) {
    let isKnown = (readers + others).allSatisfy { creation in
      creation.filter == nil && !creation.mapping.hasPolicy && !creation.mapping.isDividing
    }
    guard !readers.contains(where: \.readsEach) else { return (0, false) }
    let made = RowTransfer.Condition.any(others.map(\.transfer.conditions))
    let count = try counts.rows(
      in: table,
      where: conditions + (isKnown ? [made] : []),
      besides: isKnown ? readers.map(\.transfer.conditions) : []
    )
    return (count, !isKnown)
  }

  /// The number that a run finds when all objects are made.
  func found(_ lookup: RowLookup) throws(StoreError) -> Int64 {
    func made(_ creations: [InstanceCreation]) -> [[RowTransfer.Condition]] {
      creations.map { $0.mapping.made(from: .column("Z_PK")) }
    }
    return try lookup.count(
      in: table,
      where: conditions + [.any(made(others)), .none(made(readers))]
    )
  }

  func loss(of count: Int64, isUpperBound: Bool = false) -> MigrationPlan.Loss {
    MigrationPlan.Loss(
      .values,
      "\(key)",
      count,
      isUpperBound: isUpperBound,
      by: .overlooked,
      reason: Self.reason
    )
  }
}

extension InstanceCreation {
  /// Whether its expressions take values from every source object, even if it becomes no object or
  /// an equal one.
  fileprivate var readsEach: Bool { mapping.mapping.filter == nil && !mapping.hasPolicy }
}
