internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// The rows that an entity mapping makes, with keys at an offset from those of their sources.
///
/// SQL gives values and filters rows where it has the same meaning; the rest is evaluated.
struct MadeRows: RowColumns {
  let mapping: InstanceMapping
  private(set) var faults: [String] = []
  private(set) var risks: [String] = []

  private let partners: PartnerBuilder
  private let source: StoreSchema
  let destination: StoreSchema
  private let table: EntityTable
  private var values: [String: ColumnExpression] = [:]
  private var conditions: [ColumnExpression] = []
  private var evaluations: [AttributeEvaluation] = []
  private var filter: PredicateProgram?
  private var elements: ExpressionProgram?

  init(of mapping: InstanceMapping, _ partners: PartnerBuilder, isUTF8: Bool, evaluates: Bool) {
    (self.mapping, self.partners) = (mapping, partners)
    (source, destination) = (partners.source, partners.destination)
    table = destination.table(of: mapping.destination)
    var compiler = AttributeCompiler(
      source,
      of: mapping.source,
      isUTF8: isUTF8,
      evaluates: evaluates
    )
    if let predicate = mapping.mapping.filter {
      note("filter") { rows throws(ExpressionFault) in
        let compiled = try compiler.filter(predicate)
        rows.conditions = compiled.condition.map { [$0] } ?? []
        rows.filter = compiled.program
        return compiled.program?.risks
      }
    }
    if let expression = mapping.mapping.elements {
      note("forEach") { rows throws(ExpressionFault) in
        let model = rows.source.model
        rows.elements = try ExpressionProgram(elements: expression, of: mapping.source, in: model)
        return rows.elements?.risks
      }
    }
    compiler.element = elements?.elementType
    for (column, attribute) in attributes where !attribute.isDerived {
      let part = "attribute \(attribute.name)"
      let meaning = mapping.mapping.attribute(attribute.name)
      if case .policy(let selector, _) = meaning, !mapping.hasPolicy {
        faults.append("\(subject(part)): \(selector) is sent to a policy, but the mapping has none")
        continue
      }
      note(part) { rows throws(ExpressionFault) in
        let value: AttributeEvaluation.Source
        switch try compiler.value(meaning, of: attribute) {
        case .sql(let found):
          rows.values[column.name] = found
          return nil
        case .program(let program): value = .program(program)
        case .policy(let selector, let arguments):
          value = .policy(selector: selector, arguments: arguments)
        }
        rows.evaluations.append(AttributeEvaluation(attribute: attribute, source: value))
        return rows.evaluations.last?.risks
      }
    }
  }

  private func subject(_ part: String) -> String {
    "entity mapping \(mapping.mapping.name), \(part)"
  }

  private mutating func note(
    _ part: String,
    _ compile: (inout MadeRows) throws(ExpressionFault) -> [RunTimeRisk]?
  ) {
    do throws(ExpressionFault) {
      let reasons = Set((try compile(&self) ?? []).map(\.description)).sorted()
      if !reasons.isEmpty {
        risks.append("\(subject(part)) (\(reasons.joined(separator: ", ")))")
      }
    } catch {
      faults.append("\(subject(part)): \(error)")
    }
  }

  /// Those of the made objects, with their columns.
  private var attributes: [(column: SchemaColumn, attribute: AttributeDescription)] {
    let lineage = Set(destination.model.lineage(of: mapping.destination).map(\.name))
    return table.columns.compactMap { column in
      guard case .attribute(let key) = column.role, lineage.contains(key.entity) else { return nil }
      return destination.model.attribute(key).map { (column, $0) }
    }
  }

  // MARK: Columns

  var key: ColumnExpression { .shifted(.column("Z_PK"), by: mapping.keyOffset) }
  var entityNumber: ColumnExpression { .number(mapping.destinationNumber) }
  /// A new object has been saved once.
  let version = ColumnExpression.number(1)

  func unmanaged(_ column: String) -> ColumnExpression { .null }

  func attribute(_ key: PropertyKey, in column: String) -> ColumnExpression {
    values[column] ?? .null
  }

  func partner(along key: PropertyKey) -> Partner { partners.partner(along: key, of: mapping) }

  func owner(of key: PropertyKey) -> Partner { partners.owner(of: key, holding: mapping) }

  // MARK: Creation

  /// Throws ``ExpressionFault`` if the source lacks an input of an expression.
  func creation(
    _ answered: [LinkedRelationship.Assignment]
  ) throws(ExpressionFault) -> InstanceCreation {
    // A new row has the default values where no other is assigned, nil included.
    let assignments = table.columns
      .map { (column: $0, assignment: RowTransfer.Assignment($0.name, value(of: $0))) }
      .filter { $0.assignment.value != .null || hasDefaultValue($0.column) }
      .map(\.assignment)
    return InstanceCreation(
      mapping: mapping,
      values: try values(of: assignments, evaluations),
      answered: answered,
      grouping: try grouping(assignments),
      checks: checks()
    )
  }

  private func values(
    of assignments: [RowTransfer.Assignment],
    _ evaluations: [AttributeEvaluation]
  ) throws(ExpressionFault) -> InstanceCreation.Values {
    let inputs =
      (filter?.inputs ?? []) + evaluations.flatMap(\.inputs) + (elements?.inputs ?? [])
    return InstanceCreation.Values(
      transfer: RowTransfer(
        to: table.name,
        from: mapping.sourceTable,
        assignments,
        where: source.entityCondition([mapping.sourceNumber], inTable: mapping.sourceTable)
          + conditions
      ),
      evaluations: evaluations,
      filter: filter,
      elements: elements,
      page: try ProgramPage(inputs, of: mapping.source, in: source)
    )
  }

  /// `nil` where each source object becomes its own object.
  private func grouping(
    _ assignments: [RowTransfer.Assignment]
  ) throws(ExpressionFault) -> InstanceGrouping? {
    guard let rule = mapping.mapping.uniqueness else { return nil }
    let names = Set(rule.attributes)
    let columns = attributes.map(\.column).filter { column in
      if case .attribute(let key) = column.role { names.contains(key.property) } else { false }
    }
    let given = assignments.compactMap { assignment -> RowTransfer.Assignment? in
      guard let column = columns.first(where: { $0.name == assignment.column }) else { return nil }
      switch assignment.value {
      // Values of a column of the same type agree as they are.
      case .column, .firstNonNull(.column, _): return assignment
      // Integers agree as the real numbers that they become.
      case let value where column.declaredType == "FLOAT": return .init(column.name, .real(value))
      default: return assignment
      }
    }
    let constraints = destination.model.lineage(of: mapping.destination)
      .flatMap(\.uniquenessConstraints)
    return InstanceGrouping(
      kept: rule.kept,
      attributes: names,
      columns: columns.map(\.name),
      isNilDistinct: constraints.contains { Set($0) == names },
      values: try values(
        of: given,
        evaluations.filter { names.contains($0.attribute.name) }
      )
    )
  }

  private func hasDefaultValue(_ column: SchemaColumn) -> Bool {
    guard case .attribute(let key) = column.role else { return false }
    return destination.model.attribute(key)?.defaultValue != nil
  }

  /// Of keys that are kept, although the objects with these keys may not be made.
  private func checks() -> [ReferenceCheck] {
    table.columns.compactMap { column in
      let (partner, target): (Partner, (table: String, entities: [Int64]?)?)
      let others: [String?]
      switch column.role {
      case .foreignKey(let key):
        (partner, target) = (self.partner(along: key), destination.target(of: key))
        others = [
          destination.column(.foreignEntity(key)), destination.orderColumn(behindToOne: key),
        ]
      case .hiddenForeignKey(let key):
        partner = owner(of: key)
        target = destination.model.entity(named: key.entity).map(destination.target)
        others = [destination.column(.hiddenOrderKey(key))]
      default: return nil
      }
      guard partner.keepsKey, let target else { return nil }
      return ReferenceCheck(
        table.name,
        column.name,
        leadsTo: target.table,
        target.entities,
        else: .clear(others.compactMap(\.self))
      )
    }
  }
}

extension StoreSchema {
  /// With the numbers of their entities where the table holds others.
  func target(of key: PropertyKey) -> (table: String, entities: [Int64]?)? {
    model.entity(named: model.relationship(key)?.destinationEntityName).map(target)
  }

  /// With the numbers of its entities where the table holds others.
  func target(_ entity: EntityDescription) -> (table: String, entities: [Int64]?) {
    let table = table(of: entity)
    let numbers = Set(
      model.hierarchy(from: entity).filter { !$0.isAbstract }.map { numbering.number(of: $0.name) }
    )
    return (table.name, numbers == entityNumbers(in: table) ? nil : numbers.sorted())
  }
}
