internal import BulkLowering
internal import BulkVersions
internal import BulkMapping
internal import BulkModel

/// One step of what is planned: two versions of a model, and how they map.
struct PlannedStep {
  /// The version that the step begins with.
  let source: LocatedModel
  /// The version that it leads to.
  let destination: LocatedModel
  private let mapping: StepMapping
  private let path: String?
  private let infer: MappingFile.Inference

  /// A step by a mapping file, or an inferred one.
  ///
  /// - Throws: ``PlanError`` if the file does not map the models.
  init(
    from source: LocatedModel,
    to destination: LocatedModel,
    _ file: MappingFile?
  ) throws(PlanError) {
    (self.source, self.destination) = (source, destination)
    path = (file?.path).map(FilePath.absolute)
    infer = file?.infer ?? .unmentioned
    mapping = try StepMapping(file, from: source.model, to: destination.model)
  }

  /// How the models map; `nil` where everything is inferred.
  var model: MappingModel? { mapping.model }

  /// The step as it is carried out.
  ///
  /// - Throws: ``PlanError/notInferable(_:)`` if no mapping is given and none can be inferred.
  func step() throws(PlanError) -> MigrationStep {
    try MigrationStep(from: source, to: destination, mapping: mapping.model)
  }

  /// What deserves a look, a sentence each.
  var warnings: [String] { mapping.warnings }

  /// What the plan says of the mapping; where that asks for the time, it is told it.
  func input(now: Double) -> MigrationPlan.MappingInput {
    MigrationPlan.MappingInput(
      path: path,
      infer: infer.rawValue,
      digest: mapping.digest,
      now: mapping.model.flatMap { $0.asksForNow ? now : nil }
    )
  }

  /// Refuses policies that a program does not have.
  ///
  /// - Throws: ``PlanError/missingPolicies(_:)``.
  func refuseMissingPolicies(_ isKnown: (String) -> Bool) throws(PlanError) {
    let missing = mapping.model?.missingPolicies(isKnown) ?? []
    guard missing.isEmpty else { throw .missingPolicies(missing) }
  }
}

extension MappingModel {
  /// Whether an expression asks for the time, which must then be the same in every run of the plan.
  fileprivate var asksForNow: Bool { json.contains("now()") }

  /// The policies that the mapping names and the program does not have, a sentence each.
  fileprivate func missingPolicies(_ isKnown: (String) -> Bool) -> [String] {
    entityMappings.compactMap { mapping in
      guard let name = mapping.entityMigrationPolicyClassName, !isKnown(name) else { return nil }
      return "entity mapping \(mapping.name) needs policy \(name), which this program does not have"
    }
  }
}
