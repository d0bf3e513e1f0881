internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// The values of attributes and the filters of entity mappings: in SQL where SQL has the same meaning,
/// otherwise as programs.
struct MappedAttributes: Sendable {
  struct Values {
    var columns: [String: ColumnExpression] = [:]
    var evaluations: [AttributeEvaluation] = []
    var conditions: [ColumnExpression] = []
    var filter: PredicateProgram?
    var elements: ExpressionProgram?
  }

  private(set) var faults: [String] = []
  private(set) var risks: [String] = []

  private let destination: StoreSchema
  private var values: [Int: Values] = [:]

  init(
    _ mappings: [InstanceMapping],
    from source: StoreSchema,
    to destination: StoreSchema,
    isUTF8: Bool,
    evaluates: Bool
  ) {
    self.destination = destination
    for mapping in mappings {
      var lowering = AttributeLowering(
        source,
        of: mapping.source,
        isUTF8: isUTF8,
        evaluates: evaluates
      )
      lowerFilter(of: mapping, lowering)
      lowerElements(of: mapping, in: source.model)
      lowering.element = values[mapping.index]?.elements?.elementType
      for column in destination.table(of: mapping.destination).columns {
        lower(column, of: mapping, lowering)
      }
    }
  }

  func values(of mapping: InstanceMapping) -> Values { values[mapping.index] ?? Values() }

  private mutating func lowerFilter(of mapping: InstanceMapping, _ lowering: AttributeLowering) {
    guard let filter = mapping.mapping.filter else { return }
    let place = "entity mapping \(mapping.mapping.name), filter"
    do throws(ExpressionFault) {
      let lowered = try lowering.filter(filter)
      values[mapping.index, default: Values()].filter = lowered.program
      values[mapping.index, default: Values()].conditions =
        lowered.condition.map { [$0] } ?? []
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
      values[mapping.index, default: Values()].elements = program
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
      case .sql(let value): values[mapping.index, default: Values()].columns[column.name] = value
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
    values[mapping.index, default: Values()].evaluations.append(evaluation)
    note(evaluation.risks, at: place)
  }

  private mutating func note(_ found: [RunTimeRisk], at place: String) {
    let reasons = Set(found.map(\.description)).sorted()
    if !reasons.isEmpty { risks.append("\(place) (\(reasons.joined(separator: ", ")))") }
  }
}
