internal import BulkMapping
internal import BulkModel
package import BulkStore

/// The values of an entity's attributes that the same entity mappings read and others do not: they are lost in rows that
/// only the others take.
struct PartlyReadValues {
  private struct Value {
    let key: PropertyKey
    let column: String
  }

  private var values: [Value]
  let table: String
  private let isOfEntity: ColumnExpression
  private let readers: [InstanceCreation]
  private let others: [InstanceCreation]

  static func all(in work: MigrationWork, _ reads: WorkReads) -> [PartlyReadValues] {
    let schema = work.layout.schema
    let bySource = Dictionary(grouping: work.instances.creations, by: \.mapping.source.name)
    return bySource.sorted { $0.key < $1.key }.flatMap { name, creations -> [PartlyReadValues] in
      guard creations.count > 1, let entity = schema.model.entity(named: name) else { return [] }
      let table = schema.table(of: entity)
      let own = schema.columns(of: entity)
      var result: [PartlyReadValues] = []
      for column in table.columns where own.contains(column.name) {
        guard case .attribute(let key) = column.role else { continue }
        let isReader = { (creation: InstanceCreation) in
          reads.reads(column.name, of: table.name, by: creation.mapping)
        }
        let others = creations.filter { !isReader($0) }
        let readers = creations.filter(isReader)
        guard !others.isEmpty, !readers.isEmpty else { continue }
        let value = Value(key: PropertyKey(name, key.property), column: column.name)
        if let same = result.firstIndex(where: { $0.areRead(by: readers) }) {
          result[same].values.append(value)
        } else {
          result.append(
            PartlyReadValues(
              values: [value],
              table: table.name,
              isOfEntity: .entityIn([schema.numbering.number(of: name)]),
              readers: readers,
              others: others
            )
          )
        }
      }
      return result
    }
  }

  private func areRead(by creations: [InstanceCreation]) -> Bool {
    readers.map(\.mapping.index) == creations.map(\.mapping.index)
  }

  /// Whether the source shows which rows the entity mappings take.
  var areKnown: Bool { (readers + others).allSatisfy(\.isKnown) }

  /// Those that not every row has in which some entity mapping reads them; `nil` if there are none.
  func possible(hasRejects: Bool) -> PartlyReadValues? {
    guard !readers.contains(where: { $0.readsEachElement && !(hasRejects && $0.mapping.isMerging) })
    else { return nil }
    var result = self
    result.values.removeAll { value in
      // The filter of a mapping that takes the objects with a value.
      let isSet = ColumnExpression.notNull(.column(value.column))
      return readers.contains { reader in
        reader.isKnown && !(hasRejects && reader.mapping.isMerging)
          && reader.transfer.conditions.allSatisfy { $0 == isOfEntity || $0 == isSet }
      }
    }
    return result.values.isEmpty ? nil : result
  }

  func foreseen(_ counts: SourceCounts) throws(StoreError) -> [MigrationPlan.Loss] {
    guard !readers.contains(where: \.readsEach) else { return [] }
    let made = ColumnExpression.any(others.map(\.transfer.conditions))
    let found = try counts.values(
      in: values.map(\.column),
      of: table,
      where: [isOfEntity] + (areKnown ? [made] : []),
      except: areKnown ? readers.map(\.transfer.conditions) : []
    )
    return losses(found, isUpperBound: !areKnown)
  }

  /// The entity mappings that read them and whose association tables show which rows they took.
  private func listedReaders(hasRejects: Bool) -> [InstanceMapping] {
    readers.filter {
      hasRejects ? !$0.isKnown || $0.mapping.isMerging : !$0.isKnown && $0.mapping.isListed
    }.map(\.mapping)
  }

  /// The entity mappings whose objects ``found(_:hasRejects:within:)`` looks up in ``ListedAssociations``.
  func listed(hasRejects: Bool) -> [InstanceMapping] {
    listedReaders(hasRejects: hasRejects)
      + others.filter { (hasRejects || !$0.isKnown) && $0.mapping.isListed }.map(\.mapping)
  }

  /// The rows in a range of keys that lose them, and the values lost, when all objects are made.
  ///
  /// A row whose object was left out is in the files of rejects, with its values.
  func find(
    _ lookup: RowLookup,
    hasRejects: Bool,
    within keys: ClosedRange<Int64>
  ) throws(StoreError) -> [Int64] {
    let listed = Set(listedReaders(hasRejects: hasRejects).map(\.index))
    let key = ColumnExpression.column("Z_PK")
    let taken = readers.flatMap { reader -> [[ColumnExpression]] in
      let made = reader.mapping.whereMade(from: key)
      guard hasRejects, reader.mapping.isMerging else {
        return [reader.isKnown || listed.contains(reader.mapping.index) ? reader.took : made]
      }
      // What became one with an object that is left out is in no file.
      let rejected = RowMatch.association(of: key, under: reader.mapping.otherNumber)
      let own: [[ColumnExpression]] = [made, [.matches(rejected)]]
      let any = RowMatch.association(of: key, under: reader.mapping.index)
      return own + (reader.readsEachElement ? [[.not(.matches(any))]] : [])
    }
    let made = others.map {
      $0.isKnown && !hasRejects ? $0.transfer.conditions : $0.mapping.whereMade(from: key)
    }
    let counts = try lookup.counts(
      in: table,
      where: [isOfEntity, .none(taken), .any(made)],
      valuesIn: values.map(\.column),
      within: keys
    )
    return Array(counts.dropFirst())
  }

  func losses(_ counts: [Int64], isUpperBound: Bool = false) -> [MigrationPlan.Loss] {
    zip(values, counts).map { value, count in
      MigrationPlan.Loss(
        .values,
        "\(value.key)",
        count,
        isUpperBound: isUpperBound,
        by: .overlooked,
        reason: "no mapping of their objects reads them"
      )
    }
  }
}

extension InstanceCreation {
  /// Whether its expressions take values from every source object, even if it becomes no object or
  /// an equal one.
  fileprivate var readsEach: Bool { mapping.mapping.filter == nil && !mapping.hasPolicy }

  fileprivate var readsEachElement: Bool { readsEach && mapping.isDividing }

  /// Whether its conditions alone show which source objects it takes.
  package var isKnown: Bool { filter == nil && !mapping.hasPolicy && !mapping.isDividing }

  /// The conditions that it took the source object of a row, even if what it made is left out; its association table
  /// is listed in ``ListedAssociations`` unless the source shows that.
  package var took: [ColumnExpression] {
    if isKnown { return transfer.conditions }
    let numbers = [mapping.index] + (mapping.hasPolicy ? [mapping.otherNumber] : [])
    return [.or(numbers.map { .matches(.association(of: .column("Z_PK"), under: $0)) })]
  }
}
