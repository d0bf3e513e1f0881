internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// The values of attributes and the filters of entity mappings: in SQL where SQL has the same meaning,
/// otherwise as programs.
struct MappedAttributes: Sendable {
  /// The obstacles, a sentence each.
  private(set) var faults: [String] = []
  /// The possible failures in some row, a sentence each.
  private(set) var risks: [String] = []

  private let destination: StoreSchema
  private var columns: [Int: [String: ColumnExpression]] = [:]
  private var evaluations: [Int: [AttributeEvaluation]] = [:]
  private var filters: [Int: LoweredFilter] = [:]
  private var elements: [Int: ExpressionProgram] = [:]

  init(
    _ mappings: [InstanceMapping],
    from source: StoreSchema,
    to destination: StoreSchema,
    isUTF8: Bool,
    evaluates: Bool
  ) {
    self.destination = destination
    for mapping in mappings {
      let entity = mapping.source
      lowerFilter(
        of: mapping,
        FilterLowering(source, of: entity, isUTF8: isUTF8, evaluates: evaluates)
      )
      lowerElements(of: mapping, in: source.model)
      let lowering = AttributeLowering(
        source,
        of: entity,
        element: elements[mapping.index]?.elementType,
        isUTF8: isUTF8,
        evaluates: evaluates
      )
      for column in destination.table(of: mapping.destination).columns {
        lower(column, of: mapping, lowering)
      }
    }
  }

  /// The value of a column; NULL where SQL does not compute it.
  func value(of column: String, for mapping: InstanceMapping) -> ColumnExpression {
    columns[mapping.index]?[column] ?? .null
  }

  /// The condition on source objects that SQL can test.
  func conditions(of mapping: InstanceMapping) -> [RowTransfer.Condition] {
    filters[mapping.index]?.condition.map { [.satisfies($0)] } ?? []
  }

  /// The part of a mapping's filter to evaluate.
  func filter(of mapping: InstanceMapping) -> PredicateProgram? { filters[mapping.index]?.program }

  /// The collection whose elements become objects; `nil` if it has none.
  func elements(of mapping: InstanceMapping) -> ExpressionProgram? { elements[mapping.index] }

  /// The attributes of a mapping to evaluate.
  func evaluations(of mapping: InstanceMapping) -> [AttributeEvaluation] {
    evaluations[mapping.index] ?? []
  }

  private mutating func lowerFilter(of mapping: InstanceMapping, _ lowering: FilterLowering) {
    guard let filter = mapping.mapping.filter else { return }
    let place = "entity mapping \(mapping.mapping.name), filter"
    do throws(ExpressionFault) {
      let lowered = try lowering.filter(filter)
      filters[mapping.index] = lowered
      note(lowered.program?.risks ?? [], at: place)
    } catch {
      faults.append("\(place): \(error)")
    }
  }

  private mutating func lowerElements(of mapping: InstanceMapping, in source: ManagedObjectModel) {
    guard let expression = mapping.mapping.elements else { return }
    let place = "entity mapping \(mapping.mapping.name), forEach"
    do throws(ExpressionFault) {
      let program = try ExpressionProgram(elements: expression, of: mapping.source, in: source)
      elements[mapping.index] = program
      note(program.risks, at: place)
    } catch {
      faults.append("\(place): \(error)")
    }
  }

  private mutating func lower(
    _ column: SchemaColumn,
    of mapping: InstanceMapping,
    _ lowering: AttributeLowering
  ) {
    guard
      case .attribute(let key) = column.role,
      destination.model.lineage(of: mapping.destination).contains(where: { $0.name == key.entity }),
      let attribute = destination.model.attribute(key), !attribute.isDerived
    else { return }
    let meaning = mapping.mapping.attribute(attribute.name)
    let place = "entity mapping \(mapping.mapping.name), attribute \(attribute.name)"
    if case .policy(let selector, _) = meaning, !mapping.hasPolicy {
      faults.append("\(place): \(selector) is sent to a policy, but the mapping has none")
      return
    }
    do throws(ExpressionFault) {
      switch try lowering.value(meaning, of: attribute) {
      case .sql(let value): columns[mapping.index, default: [:]][column.name] = value
      case .program(let program): add(.program(program), of: attribute, mapping, at: place)
      case .policy(let selector, let arguments):
        add(.policy(selector: selector, arguments: arguments), of: attribute, mapping, at: place)
      }
    } catch {
      faults.append("\(place): \(error)")
    }
  }

  private mutating func add(
    _ value: AttributeEvaluation.Source,
    of attribute: AttributeDescription,
    _ mapping: InstanceMapping,
    at place: String
  ) {
    let evaluation = AttributeEvaluation(attribute: attribute, source: value)
    evaluations[mapping.index, default: []].append(evaluation)
    note(evaluation.risks, at: place)
  }

  private mutating func note(_ found: [RunTimeRisk], at place: String) {
    for risk in found where !risks.contains("\(place): \(risk)") {
      risks.append("\(place): \(risk)")
    }
  }
}
