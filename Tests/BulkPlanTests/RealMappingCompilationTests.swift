import BulkTestSupport
import Testing

/// The attribute expressions and filters of real mapping models, each against the model that it was
/// made for.
@Suite(
  "Expressions of real mapping models in SQL",
  .enabled(if: SharedData.isPresent, "skips because ../shared/data is not there")
)
struct RealMappingCompilationTests {
  private struct Tally {
    var sql = 0
    var programs: [String] = []
    var policies = 0
    var faults: [String] = []
  }

  private static let files: [String] = {
    let text = try? String(contentsOfFile: SharedData.path("mappings/INDEX.tsv"), encoding: .utf8)
    return (text ?? "").split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      return fields.count > 3 ? "mappings/\(fields[0])/\(fields[3])" : nil
    }
  }()

  private func tally(_ path: String, _ tally: inout Tally) throws {
    let file = try MappingFile.read(SharedData.path(path))
    let (source, destination) = (try file.copy(of: .source), try file.copy(of: .destination))
    let schema = StoreSchema(source)
    let models = ModelPair(from: source, to: destination)
    for mapping in try file.mappingModel(between: models).model.entityMappings {
      guard
        let from = mapping.sourceEntityName.flatMap({ source.entity(named: $0) }),
        let to = mapping.destinationEntityName.flatMap({ destination.entity(named: $0) })
      else { continue }
      let attributes = destination.attributes(of: to).filter { !$0.isTransient }
      for property in mapping.attributeMappings {
        guard let attribute = attributes.first(where: { $0.name == property.name }) else {
          continue
        }
        let name = "\(path.split(separator: "/")[1]) \(mapping.name).\(property.name)"
        do throws(ExpressionFault) {
          let compiler = AttributeCompiler(schema, of: from)
          switch try compiler.value(mapping.attribute(property.name), of: attribute) {
          case .sql: tally.sql += 1
          case .policy: tally.policies += 1
          case .program(let compiled):
            let text = property.valueExpression?.description ?? ""
            tally.programs.append("\(name) = \(text)")
            #expect(compiled.program.inputs.isEmpty)
          }
        } catch {
          if case .needsPolicy = error {
            tally.policies += 1
          } else {
            tally.faults.append("\(name): \(error)")
          }
        }
      }
    }
  }

  @Test func `copies and constants go to SQL, policies are named, mistakes are told`() throws {
    var found = Tally()
    for file in Self.files { try tally(file, &found) }
    // As first counted; the corpus has one `now()` and no expression that is wrong.
    #expect(found.sql == 587)
    #expect(found.policies == 6)
    #expect(found.programs == ["025 EmployeeToEmployee.companyDateFounded = now()"])
    #expect(found.faults == [])
  }
}
