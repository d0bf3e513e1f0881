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
      var compiler = AttributeCompiler(
        source,
        of: mapping.source,
        isUTF8: isUTF8,
        evaluates: evaluates
      )
      compileFilter(of: mapping, compiler)
      compileElements(of: mapping, in: source.model)
      compiler.element = values[mapping.index]?.elements?.elementType
      for column in destination.table(of: mapping.destination).columns {
        compile(column, of: mapping, compiler)
      }
    }
  }

  func values(of mapping: InstanceMapping) -> Values { values[mapping.index] ?? Values() }

  private mutating func compileFilter(of mapping: InstanceMapping, _ compiler: AttributeCompiler) {
    guard let filter = mapping.mapping.filter else { return }
    let subject = "entity mapping \(mapping.mapping.name), filter"
    do throws(ExpressionFault) {
      let compiled = try compiler.filter(filter)
      values[mapping.index, default: Values()].filter = compiled.program
      values[mapping.index, default: Values()].conditions =
        compiled.condition.map { [$0] } ?? []
      note(compiled.program?.risks ?? [], at: subject)
    } catch {
      faults.append("\(subject): \(error)")
    }
  }

  private mutating func compileElements(of mapping: InstanceMapping, in source: ManagedObjectModel)
  {
    guard let expression = mapping.mapping.elements else { return }
    let subject = "entity mapping \(mapping.mapping.name), forEach"
    do throws(ExpressionFault) {
      let program = try ExpressionProgram(elements: expression, of: mapping.source, in: source)
      values[mapping.index, default: Values()].elements = program
      note(program.risks, at: subject)
    } catch {
      faults.append("\(subject): \(error)")
    }
  }

  private mutating func compile(
    _ column: SchemaColumn,
    of mapping: InstanceMapping,
    _ compiler: AttributeCompiler
  ) {
    guard
      case .attribute(let key) = column.role,
      destination.model.lineage(of: mapping.destination).contains(where: { $0.name == key.entity }),
      let attribute = destination.model.attribute(key), !attribute.isDerived
    else { return }
    let meaning = mapping.mapping.attribute(attribute.name)
    let subject = "entity mapping \(mapping.mapping.name), attribute \(attribute.name)"
    if case .policy(let selector, _) = meaning, !mapping.hasPolicy {
      faults.append("\(subject): \(selector) is sent to a policy, but the mapping has none")
      return
    }
    do throws(ExpressionFault) {
      switch try compiler.value(meaning, of: attribute) {
      case .sql(let value): values[mapping.index, default: Values()].columns[column.name] = value
      case .program(let program): add(.program(program), of: attribute, mapping, at: subject)
      case .policy(let selector, let arguments):
        add(.policy(selector: selector, arguments: arguments), of: attribute, mapping, at: subject)
      }
    } catch {
      faults.append("\(subject): \(error)")
    }
  }

  private mutating func add(
    _ value: AttributeEvaluation.Source,
    of attribute: AttributeDescription,
    _ mapping: InstanceMapping,
    at subject: String
  ) {
    let evaluation = AttributeEvaluation(attribute: attribute, source: value)
    values[mapping.index, default: Values()].evaluations.append(evaluation)
    note(evaluation.risks, at: subject)
  }

  private mutating func note(_ found: [RunTimeRisk], at location: String) {
    let reasons = Set(found.map(\.description)).sorted()
    if !reasons.isEmpty { risks.append("\(location) (\(reasons.joined(separator: ", ")))") }
  }
}
