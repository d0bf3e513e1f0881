internal import BulkModel

extension MappingFile {
  /// The passes that a file requests that leaves all entity mappings to inference.
  package func passesOfInferredMapping(
    between models: ModelPair
  ) throws(MappingError) -> [PassRequest] {
    // What cannot be inferred is refused elsewhere.
    guard !passLists.isEmpty,
      let model = try? MappingModel.inferred(from: models.source, to: models.destination)
    else { return [] }
    let report = report
    let found = passes(of: model, models, report) ?? []
    refuseDividedTables(models, report)
    try refuse(report)
    return found
  }

  /// The passes by their source entities, in the order of the files; entities that none names are left to the plan; `nil`
  /// if no file requests any.
  func passes(
    of model: MappingModel,
    _ models: ModelPair,
    _ report: MappingReport
  ) -> [PassRequest]? {
    let lists = parts.flatMap(\.passes)
    guard !lists.isEmpty else { return nil }
    let bySource = Dictionary(
      grouping: model.entityMappings.filter { $0.destinationEntityName != nil },
      by: { $0.sourceEntityName ?? "" }
    )
    var known: [String: LocatedName] = [:]
    return lists.compactMap { list in
      let names = list.filter { name in
        guard let entity = models.entity(name, .source, "passes", report) else { return false }
        let reason: String
        if let other = known[name.text] {
          reason = "entity \(name.text) is in a pass already, at \(other.location.text)"
        } else if entity.isAbstract {
          reason = "entity \(name.text) is abstract and has no objects"
        } else {
          known[name.text] = name
          return true
        }
        report.error(name.location, "passes", reason)
        return false
      }
      let mappings = names.flatMap { bySource[$0.text] ?? [] }
      return mappings.isEmpty ? nil : PassRequest(list[0].text, isWhole: true, mappings)
    }
  }

  /// Refuses passes that divide a table of the source: where rows keep their keys, a table is taken over as a
  /// whole.
  private func refuseDividedTables(_ models: ModelPair, _ report: MappingReport) {
    var first: [String: (list: Int, name: LocatedName)] = [:]
    for (list, names) in parts.flatMap(\.passes).enumerated() {
      for name in names {
        guard let entity = models.source.entity(named: name.text) else { continue }
        let root = models.source.root(of: entity).name
        guard let other = first[root] else {
          first[root] = (list, name)
          continue
        }
        guard other.list != list else { continue }
        let reason =
          "\(name.text) shares its table with \(other.name.text), so both belong to one pass; "
          + "name them together"
        report.error(name.location, "passes", reason)
      }
    }
  }
}

/// Entity mappings that are carried out apart from all others.
package struct PassRequest: Hashable, Sendable {
  /// The name of the pass, or of the file whose passes these are.
  package let name: String
  /// Whether they are one pass; otherwise they are divided where no relationship connects them.
  package let isWhole: Bool
  package let entityMappings: Set<String>
  package let destinations: Set<String>

  init(_ name: String, isWhole: Bool, _ mappings: [EntityMapping]) {
    self.name = name
    self.isWhole = isWhole
    entityMappings = Set(mappings.map(\.name))
    destinations = Set(mappings.compactMap(\.destinationEntityName))
  }

  /// The same pass with those of its entity mappings that remain; `nil` if none does.
  func keeping(_ mappings: [EntityMapping]) -> PassRequest? {
    let own = mappings.filter { entityMappings.contains($0.name) }
    return own.isEmpty ? nil : PassRequest(name, isWhole: isWhole, own)
  }
}
