internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// The columns of a store that some work reads to make what it writes.
///
/// It follows from the transfers, queries and expressions that are executed, not from what a
/// mapping model or a model names. Columns that only select rows are not read, because they do not
/// become values.
struct WorkReads: Sendable {
  /// Whose objects need a column for what is written.
  private enum Reader: Hashable {
    case entity(Int64)
    case mapping(Int)
    /// Those of an entity that find others along it in rows that are not theirs.
    case along(Int64)
    /// Those of any entity.
    case any
  }

  private(set) var entities: Set<Int64> = []
  private var columns: [Reader: Set<StoredColumn>] = [:]
  private let schema: StoreSchema

  init(_ work: StepWork) {
    schema = work.layout.schema
    for transfer in work.keptRows {
      let numbers = entities(of: transfer)
      entities.formUnion(numbers)
      for number in numbers {
        let values = transfer.assignments.map { $0.value.ofEntity(number) }
        add(values, in: transfer.source, [.entity(number)])
      }
    }
    for creation in work.instances.creations { add(creation) }
    for link in work.instances.links { add(link) }
    for transfer in work.transfers.joinRows {
      add(transfer.assignments.flatMap { $0.value.reads(inRowOf: transfer.source) }, [.any])
    }
    addDerived(work)
  }

  private func reads(_ column: StoredColumn, by readers: [Reader]) -> Bool {
    (readers + [.any]).contains { columns[$0]?.contains(column) == true }
  }

  func reads(_ column: String, of table: String, ofEntity number: Int64) -> Bool {
    reads(StoredColumn(column, of: table), by: [.entity(number)])
  }

  func reads(_ column: String, of table: String, by mapping: InstanceMapping) -> Bool {
    reads(StoredColumn(column, of: table), by: [.mapping(mapping.index)])
  }

  /// Whether objects of some entities find others along a column, or any do.
  func reads(_ column: StoredColumn, from numbers: [Int64]) -> Bool {
    reads(column, by: numbers.map { .along($0) })
  }

  func entities(of transfer: RowTransfer) -> Set<Int64> {
    var numbers = schema.entityTable(named: transfer.source).map(schema.entityNumbers) ?? []
    for case .isIn("Z_ENT", let some) in transfer.conditions { numbers.formIntersection(some) }
    return numbers
  }

  private mutating func add(_ found: some Sequence<StoredColumn>, _ readers: [Reader]) {
    for reader in readers { columns[reader, default: []].formUnion(found) }
  }

  /// In the row, and in the rows to which it leads.
  private mutating func add(_ values: [ColumnExpression], in table: String, _ readers: [Reader]) {
    let found = values.flatMap { $0.reads(inRowOf: "") }
    add(found.filter(\.table.isEmpty).map { StoredColumn($0.column, of: table) }, readers)
    add(found.filter { !$0.table.isEmpty }, [.any])
  }

  private mutating func add(_ creation: InstanceCreation) {
    let mapping = creation.mapping
    entities.insert(mapping.sourceNumber)
    let inputs = (creation.elements?.inputs ?? []) + creation.evaluations.flatMap(\.inputs)
    var found = creation.transfer.assignments.map { $0.value.ofEntity(mapping.sourceNumber) }
    // Expressions that cannot be compiled were refused before.
    if let page = try? ProgramPage(inputs, of: mapping.source, in: schema) {
      found += page.columns.map(\.expression)
      for query in page.memberQueries {
        let table = query.members.farTable
        add(query.members.keyColumns, [.any])
        add(query.columns.flatMap { $0.expression.reads(inRowOf: table) }, [.any])
      }
    }
    for case .keyPath(let path, of: .variable("source"))
      in creation.answered.flatMap({ $0.function?.arguments ?? [] })
    {
      let (values, rows) = InputCompiler(schema).reads(of: path, from: mapping.source)
      found += values
      add(rows, [.any])
    }
    let entity = Reader.entity(mapping.sourceNumber)
    add(found, in: mapping.sourceTable, [entity, .mapping(mapping.index)])
    add(placesFound(by: mapping), [entity])
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
    for assignment in link.assignments {
      let number = assignment.mapping.sourceNumber
      for (index, rows) in (assignment.query?.steps ?? []).enumerated() {
        if link.isOrdered || link.isInverseOrdered { add(rows.positionColumns, [.any]) }
        let isOwn = rows.nearColumn == "Z_PK"
        add(rows.keyColumns, [index > 0 ? .any : isOwn ? .entity(number) : .along(number)])
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
      let (table, number) = (schema.table(of: source), schema.numbering.number(of: source.name))
      let mappings = work.instances.creations.map(\.mapping).filter {
        $0.sourceNumber == number && $0.destination == made
      }
      let found = table.columns.filter { column in
        if case .attribute(let key) = column.role { again.contains(key.property) } else { false }
      }
      add(
        found.map { StoredColumn($0.name, of: table.name) },
        [.entity(number)] + mappings.map { .mapping($0.index) }
      )
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
