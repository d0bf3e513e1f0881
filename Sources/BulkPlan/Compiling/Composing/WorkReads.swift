internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// The columns of a store that some work reads to make what it writes.
///
/// It follows from the transfers, queries and expressions that are executed, not from what a
/// mapping model or a model names. Columns that only select rows are not read, because they do not
/// become values.
struct WorkReads: Sendable {
  package private(set) var entities: Set<Int64> = []
  /// By the number of the entity.
  private var own: [Int64: Set<StoredColumn>] = [:]
  /// By the index of the mapping.
  private var byMapping: [Int: Set<StoredColumn>] = [:]
  /// The columns along which objects of an entity find others in rows that are not theirs.
  private var leads: [Int64: Set<StoredColumn>] = [:]
  private var others: Set<StoredColumn> = []
  private let schema: StoreSchema

  package init(_ work: StepWork) {
    schema = work.layout.schema
    for transfer in work.keptRows {
      let numbers = entities(of: transfer)
      entities.formUnion(numbers)
      for number in numbers {
        add(transfer.assignments.map { $0.value.ofEntity(number) }, in: transfer.source, of: number)
      }
    }
    for creation in work.instances.creations { add(creation) }
    for link in work.instances.links { add(link) }
    for transfer in work.transfers.joinRows {
      others.formUnion(transfer.assignments.flatMap { $0.value.reads(inRowOf: transfer.source) })
    }
    addDerived(work)
  }

  package func reads(_ column: String, of table: String, ofEntity number: Int64) -> Bool {
    let column = StoredColumn(column, of: table)
    return others.contains(column) || own[number]?.contains(column) == true
  }

  package func reads(_ column: String, of table: String, by mapping: InstanceMapping) -> Bool {
    let column = StoredColumn(column, of: table)
    return others.contains(column) || byMapping[mapping.index]?.contains(column) == true
  }

  /// Whether objects of some entities find others along a column, or any do.
  package func reads(_ column: StoredColumn, from numbers: [Int64]) -> Bool {
    others.contains(column) || numbers.contains { leads[$0]?.contains(column) == true }
  }

  package func entities(of transfer: RowTransfer) -> Set<Int64> {
    var numbers = schema.entityTable(named: transfer.source).map(schema.entityNumbers) ?? []
    for case .isIn("Z_ENT", let some) in transfer.conditions { numbers.formIntersection(some) }
    return numbers
  }

  /// In the row, and in the rows to which it leads.
  private mutating func add(
    _ values: [ColumnExpression],
    in table: String,
    of number: Int64,
    by mapping: InstanceMapping? = nil
  ) {
    for column in values.flatMap({ $0.reads(inRowOf: "") }) {
      if column.table.isEmpty {
        let column = StoredColumn(column.column, of: table)
        own[number, default: []].insert(column)
        if let mapping { byMapping[mapping.index, default: []].insert(column) }
      } else {
        others.insert(column)
      }
    }
  }

  private mutating func add(_ creation: InstanceCreation) {
    let mapping = creation.mapping
    entities.insert(mapping.sourceNumber)
    let programs = creation.elements?.inputs ?? []
    var found = creation.transfer.assignments.map { $0.value.ofEntity(mapping.sourceNumber) }
    // Expressions that cannot be compiled were refused before.
    if let page = try? ProgramPage(
      programs + creation.evaluations.flatMap(\.inputs),
      of: mapping.source,
      in: schema
    ) {
      found += page.columns.map(\.expression)
      for query in page.memberQueries {
        others.formUnion(query.members.keyColumns)
        others.formUnion(
          query.columns.flatMap { $0.expression.reads(inRowOf: query.members.farTable) }
        )
      }
    }
    for case .keyPath(let path, of: .variable("source"))
      in creation.answered.flatMap({ $0.function?.arguments ?? [] })
    {
      let (values, rows) = InputCompiler(schema).reads(of: path, from: mapping.source)
      found += values
      others.formUnion(rows)
    }
    add(found, in: mapping.sourceTable, of: mapping.sourceNumber, by: mapping)
    own[mapping.sourceNumber, default: []].formUnion(placesFound(by: mapping))
  }

  /// The columns with the places of objects among the members of their owners that expressions find: of
  /// `FUNCTION($source.list.items, "indexOfObject:", $source)` that of `items`.
  private func placesFound(by mapping: InstanceMapping) -> [StoredColumn] {
    let source = ValueExpression.variable("source")
    let values = mapping.mapping.attributeMappings.compactMap(\.valueExpression)
    return values.flatMap(\.allParts).compactMap { part in
      guard case .function(.keyPath(let path, of: source), "indexOfObject:", let arguments) = part,
        arguments == [source]
      else { return nil }
      let names = path.split(separator: ".").map(String.init)
      guard names.count == 2,
        let owner = schema.model.relationship(named: names[0], of: mapping.source)?.relationship,
        let members = schema.model.inverse(of: owner), members.relationship.name == names[1]
      else { return nil }
      return schema.column(.orderKey(PropertyKey(members.owner.name, names[1])))
        .map { StoredColumn($0, of: mapping.sourceTable) }
    }
  }

  private mutating func add(_ link: LinkedRelationship) {
    for side in link.assignments {
      let number = side.mapping.sourceNumber
      for (index, rows) in (side.query?.steps ?? []).enumerated() {
        if link.isOrdered || link.isInverseOrdered { others.formUnion(rows.positionColumns) }
        if index > 0 {
          others.formUnion(rows.keyColumns)
        } else if rows.nearColumn == "Z_PK" {
          own[number, default: []].formUnion(rows.keyColumns)
        } else {
          leads[number, default: []].formUnion(rows.keyColumns)
        }
      }
    }
  }

  private mutating func addDerived(_ work: StepWork) {
    let derived = Set(work.destination.derivedAttributes.map(\.key))
    for succession in work.successions {
      guard let source = schema.model.entity(named: succession.source),
        let made = work.destination.model.entity(named: succession.destination)
      else { continue }
      let again = work.destination.model.lineage(of: made).flatMap { entity in
        entity.attributes.filter { derived.contains(PropertyKey(entity.name, $0.name)) }
      }.flatMap { succession.formerNames(of: $0.name) }
      let table = schema.table(of: source)
      for column in table.columns {
        guard case .attribute(let key) = column.role, again.contains(key.property) else {
          continue
        }
        let number = schema.numbering.number(of: source.name)
        let column = StoredColumn(column.name, of: table.name)
        own[number, default: []].insert(column)
        for creation in work.instances.creations
        where creation.mapping.sourceNumber == number && creation.mapping.destination == made {
          byMapping[creation.mapping.index, default: []].insert(column)
        }
      }
    }
  }
}

extension EntitySuccession {
  /// The attributes of the source that a derived attribute continues.
  fileprivate func formerNames(of attribute: String) -> [String] {
    steps.reversed().reduce([attribute]) { names, next in
      let (step, mapping) = (next.step, next.mapping)
      let (before, after) = (mapping.sourceEntityName, mapping.destinationEntityName)
      let there = step.source.entity(named: before).map { step.source.attributes(of: $0) } ?? []
      return names.flatMap { name in
        [
          name, mapping.copiedAttribute(for: name),
          step.destination.entity(named: after)
            .flatMap { step.destination.leaf(named: name, of: $0)?.attribute.canonicalName },
        ]
      }.compactMap(\.self).filter { name in there.contains { $0.name == name } }
    }
  }
}

extension InputCompiler {
  fileprivate func reads(
    of path: String,
    from entity: EntityDescription
  ) -> ([ColumnExpression], [StoredColumn]) {
    let names = path.split(separator: ".").map(String.init)
    if let found = attribute(names, from: entity) { return ([found.expression], []) }
    if let found = members(names, from: entity) {
      return ([found.owner.key], found.members.keyColumns)
    }
    return (end(of: names, from: entity).map { [$0.key] } ?? [], [])
  }
}
