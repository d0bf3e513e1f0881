internal import BulkModel

extension MappingFile {
  /// The passes that a file requests that leaves all entity mappings to inference.
  ///
  /// - Throws: ``MappingError/invalid(path:faults:)`` with every error in them.
  package func passesOfInferredMapping(
    between models: ModelPair
  ) throws(MappingError) -> [PassRequest] {
    // What cannot be inferred is refused elsewhere.
    guard !passes.isEmpty,
      let model = try? MappingModel.inferred(from: models.source, to: models.destination)
    else { return [] }
    var faults = members.map { _ in [DraftFault]() }
    let lists = PassLists(files: members, models: models)
    let found = lists.passes(of: model) { faults[$0].append($1) } ?? []
    lists.refuseDividedTables { faults[$0].append($1) }
    try refuse(faults)
    return found
  }
}

/// The passes that mapping files request by their source entities.
struct PassLists {
  let files: [MappingFile]
  let models: ModelPair

  /// The passes, in the order of the files; entities that none names are left to the plan; `nil` if no file requests
  /// any.
  func passes(
    of model: MappingModel,
    _ note: (Int, DraftFault) -> Void
  ) -> [PassRequest]? {
    guard files.contains(where: { !$0.passes.isEmpty }) else { return nil }
    let bySource = Dictionary(
      grouping: model.entityMappings.filter { $0.destinationEntityName != nil },
      by: { $0.sourceEntityName ?? "" }
    )
    var known: [String: (file: Int, name: PlacedName)] = [:]
    var result: [PassRequest] = []
    for (index, file) in files.enumerated() {
      for list in file.passes {
        var names: [String] = []
        for name in list {
          if let fault = fault(name, of: index, known[name.text]) {
            note(index, DraftFault(name.place, "passes", fault))
          } else {
            known[name.text] = (index, name)
            names.append(name.text)
          }
        }
        let mappings = names.flatMap { bySource[$0] ?? [] }
        guard let first = list.first, !mappings.isEmpty else { continue }
        result.append(PassRequest(first.text, isWhole: true, mappings))
      }
    }
    return result
  }

  /// Refuses passes that divide a table of the source: where rows keep their keys, a table is taken over as a
  /// whole.
  func refuseDividedTables(_ note: (Int, DraftFault) -> Void) {
    var first: [String: (list: Int, name: PlacedName)] = [:]
    for (index, file) in files.enumerated() {
      for (list, names) in file.passes.enumerated() {
        for name in names {
          guard let entity = models.source.entity(named: name.text) else { continue }
          let root = models.source.root(of: entity).name
          guard let other = first[root] else {
            first[root] = (list, name)
            continue
          }
          guard other.list != list else { continue }
          let reason =
            "\(name.text) shares its table with \(other.name.text), so both are taken over in one pass; "
            + "name them together"
          note(index, DraftFault(name.place, "passes", reason))
        }
      }
    }
  }

  private func fault(
    _ name: PlacedName,
    of file: Int,
    _ other: (file: Int, name: PlacedName)?
  ) -> String? {
    guard let entity = models.source.entity(named: name.text) else {
      let hint = MappingResolver.hint(name.text, among: models.source.entities.map(\.name))
      return "the source model has no entity \(name.text)\(hint)"
    }
    guard let other else {
      return entity.isAbstract ? "entity \(name.text) is abstract and has no objects" : nil
    }
    let place = files[other.file].description(of: DraftFault(other.name.place, "", ""))
    return "entity \(name.text) is in a pass already, at \(place)"
  }
}
