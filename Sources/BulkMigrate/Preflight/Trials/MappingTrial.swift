internal import BulkMapping
internal import BulkPlan
internal import BulkStore

/// Evaluates a mapping file for some objects of a store, and changes nothing.
///
/// Every expression is evaluated by itself, so that one that fails hides no other. What needs all objects is left out:
/// the objects of relationships, objects that `unique` makes one, derived values, and rules of the model. Policies are
/// not run.
package struct MappingTrial {
  package var file: String
  /// `nil` for the one that the file names.
  package var store: String?
  /// `nil` for the one that fits.
  package var sourceModel: String?
  /// `nil` for the one that the file names.
  package var destinationModel: String?
  /// The name of an entity mapping, or of an entity that is read or made; `nil` for all that the file has.
  package var entity: String?
  package var choice = SampleChoice()

  package init(_ file: String) { self.file = file }

  /// Throws ``TrialRefusal`` if nothing is chosen.
  package func run() throws -> MappingTrialReport {
    let named = try MappingFile.planned(file).source.store
    guard let path = store ?? named else {
      throw PlanError.missingInput(
        "no source store is named; pass --source or a mapping file that names one"
      )
    }
    let opened = try PlanError.reading(path, try PersistentStore(path: path))
    let bench = try MappingWorkbench(
      file,
      sourceModel: sourceModel,
      destinationModel: destinationModel,
      reading: opened
    )
    let sketch = try bench.sketch()
    let chosen = try chosen(of: sketch)
    let sampled = try SampledStore(opened, bench.source, choice)
    var report = MappingTrialReport(mapping: file, source: path)
    var refusal: TrialRefusal?
    for (index, mapping) in chosen.enumerated() {
      sampled.beginEntity(of: chosen.count - index)
      var trial = EntityMappingTrial(mapping, of: sketch, bench, sampled)
      report.entityMappings.append(try trial.run())
      refusal = trial.refusal ?? refusal
    }
    if let refusal, report.entityMappings.allSatisfy({ $0.course == nil }) { throw refusal }
    report.omitted = sketch.model.entityMappings.map(\.name).filter { name in
      entity == nil && !chosen.contains { $0.name == name }
    }
    return report
  }

  private func chosen(of sketch: MappingSketch) throws(TrialRefusal) -> [EntityMapping] {
    let all = sketch.model.entityMappings
    guard let entity else {
      return all.filter { sketch.written.isEmpty || sketch.written.contains($0.name) }
    }
    let found = all.filter {
      [$0.name, $0.sourceEntityName, $0.destinationEntityName].contains(entity)
    }
    guard !found.isEmpty else {
      let known = all.isEmpty ? "none" : all.map(\.name).joined(separator: ", ")
      throw TrialRefusal(
        "\(file) has no entity mapping \(entity), and none from or to such an entity; it has \(known)",
        isOfName: true
      )
    }
    return found
  }
}
