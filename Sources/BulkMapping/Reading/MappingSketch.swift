internal import BulkModel

/// A mapping model as far as its files give one: what is wrong with single properties is kept beside it.
package struct MappingSketch: Sendable {
  /// The mapping model; a property whose expression is wrong has no value in it.
  package let model: MappingModel
  /// The names of the entity mappings that a file mentions; the others are inferred.
  package let written: Set<String>
  private let faults: [String: [MappingFault]]

  /// The errors of an entity mapping by its properties: `attribute title`, `relationship tags`, `filter`, `forEach`,
  /// or what else they are about, in file order.
  package func faults(of mapping: EntityMapping) -> [(subject: String, fault: MappingFault)] {
    let beginning = Self.beginning(mapping.name)
    return faults[mapping.name, default: []].map {
      (String($0.subject.dropFirst(beginning.count)), $0)
    }
  }

  fileprivate static func beginning(_ name: String) -> String { "entity mapping \(name), " }

  fileprivate init(_ model: MappingModel, written: Set<String>, faults: [MappingFault]) {
    (self.model, self.written) = (model, written)
    var byMapping: [String: [MappingFault]] = [:]
    for fault in faults {
      guard let name = Self.mapping(of: fault, in: model) else { continue }
      byMapping[name, default: []].append(fault)
    }
    self.faults = byMapping
  }

  /// The name of the entity mapping with whose property something is wrong; `nil` where it is more than that.
  fileprivate static func mapping(of fault: MappingFault, in model: MappingModel) -> String? {
    model.entityMappings.first { fault.subject.hasPrefix(beginning($0.name)) }?.name
  }
}

extension MappingFile {
  /// The text of the expression that gives a property its value, as written; `nil` where the file has none.
  package func expressionText(of property: String, in mapping: String) -> String? {
    members.lazy.flatMap(\.drafts).first { $0.effectiveName == mapping }.flatMap { draft in
      (draft.attributes + draft.relationships).first { $0.name == property }?.texts.first?.text
    }
  }

  /// The mapping model between two models, with the errors of single properties beside it.
  ///
  /// Whether values can be evaluated is not checked.
  ///
  /// - Throws: ``MappingError/invalid(path:faults:)`` with every error that is not one of a property.
  package func sketch(between models: ModelPair) throws(MappingError) -> MappingSketch {
    var join = MappingJoin(self, between: models)
    let found = join.resolution()
    let faults = located(found.faults)
    let others = faults.filter { MappingSketch.mapping(of: $0, in: found.model) == nil }
    guard others.isEmpty else { throw .invalid(path: faultyPath, faults: others) }
    let model = TransformerMapping(models: models).reading(found.model)
    let written = Set(found.items.map(\.mapping.name))
    return MappingSketch(model, written: written, faults: faults)
  }
}
