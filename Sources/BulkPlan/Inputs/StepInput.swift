package import BulkMapping
internal import BulkModel
internal import BulkSupport

/// One planned step: two versions of a model, and their mapping.
struct StepInput {
  let source: LocatedModel
  let destination: LocatedModel
  let mapping: StepMapping
  private let paths: [String]
  private let infer: MappingFile.Inference
  private let takesFirst: Bool
  private let keepsPartialHistory: Bool
  private let takesNewIdentifier: Bool

  /// Refuses a file that does not map the models, or needs a transformer that the program lacks.
  init(_ files: StepFiles) throws(PlanError) {
    let file = files.file
    (source, destination) = (files.source, files.destination)
    keepsPartialHistory = files.keepsPartialHistory
    takesNewIdentifier = files.takesNewIdentifier
    paths = (file?.paths ?? []).map(FilePath.absolute)
    infer = file?.infer ?? .unmentioned
    takesFirst = file?.takesFirst ?? false
    mapping = try StepMapping(file, from: source, to: destination)
    let missing = files.knowsTransformer.flatMap { mapping.model?.missingTransformers($0) } ?? []
    guard missing.isEmpty else { throw .missingPolicies(missing) }
  }

  func step() throws(PlanError) -> MigrationStep {
    var step = try MigrationStep(from: source, to: destination, mapping: mapping.model)
    step.keepsPartialHistory = keepsPartialHistory
    step.takesNewIdentifier = takesNewIdentifier
    return step
  }

  /// The mapping as the plan records it, with the time if an expression uses it.
  func input(now: Double) -> MigrationPlan.MappingInput {
    MigrationPlan.MappingInput(
      path: paths.first,
      others: paths.count > 1 ? Array(paths.dropFirst()) : nil,
      infer: infer.rawValue,
      several: takesFirst ? .first : nil,
      digest: mapping.digest,
      now: mapping.model?.usesNow == true || destination.model.derivesNow ? now : nil
    )
  }

  /// Refuses policies that the program does not have, and names the mapping where there are other steps.
  func refuseMissingPolicies(
    _ isKnown: (String) -> Bool,
    ofRoute isOfRoute: Bool
  ) throws(PlanError) {
    let file = isOfRoute ? paths.map { URL(fileURLWithPath: $0).lastPathComponent } : []
    let missing = mapping.model?.missingPolicies(isKnown, in: file) ?? []
    guard missing.isEmpty else { throw .missingPolicies(missing) }
  }
}

extension MigrationPlan.MappingInput {
  /// The mapping as it was planned with; `nil` where everything is inferred.
  package func file() throws(PlanError) -> MappingFile? {
    guard !files.isEmpty else { return nil }
    var file = try MappingFile.planned(files)
    if infer == MappingFile.Inference.none.rawValue { file = file.withoutInference }
    return several == nil ? file : file.takingFirst
  }
}

extension ManagedObjectModel {
  fileprivate var derivesNow: Bool {
    entities.flatMap(\.attributes).contains {
      $0.derivationExpression == .predefined(selector: "now", arguments: [])
    }
  }
}

extension MappingModel {
  /// Whether an expression uses the time, which must then be the same in every run of the plan.
  fileprivate var usesNow: Bool { json.contains("now()") }

  /// The transformers that the mapping names and the program does not have, a sentence each.
  fileprivate func missingTransformers(_ isKnown: (String) -> Bool) -> [String] {
    transformers.filter { !isKnown($0.name) }.map { needed in
      "entity mapping \(needed.mapping), \(needed.property), needs transformer \(needed.name), which this "
        + "program does not have"
    }
  }

  /// The policies that the mapping names and the program does not have, a sentence each.
  fileprivate func missingPolicies(_ isKnown: (String) -> Bool, in files: [String]) -> [String] {
    let source = files.isEmpty ? "" : " of \(files.joined(separator: ", "))"
    return entityMappings.compactMap { mapping in
      guard let name = mapping.entityMigrationPolicyClassName, !isKnown(name) else { return nil }
      return
        "entity mapping \(mapping.name)\(source) needs policy \(name), which this program does not have"
    }
  }
}
