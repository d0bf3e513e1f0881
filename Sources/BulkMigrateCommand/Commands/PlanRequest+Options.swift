internal import BulkVersions

extension PlanRequest {
  static let mappingOptions: [OptionRow<PlanRequest>] =
    [
      .values("mapping", \.mappingFiles)
    ]

  static let options: [OptionRow<PlanRequest>] =
    [
      .value("destination", \.destination),
      .value("source-model", \.sourceModel),
      .flag("no-fuse") {
        $0.fuses = false
      },
    ] + routeOptions

  static let routeOptions: [OptionRow<PlanRequest>] =
    [
      .value("destination-model", \.destinationModel),
      .values("models", \.models),
      .values("mappings", \.mappings),
      .values("ignore-mapping", \.ignoredMappings),
      .value("to", \.version),
      .value("configuration", \.configuration),
      .flag("no-infer") {
        $0.infers = false
      },
      .flag("like-core-data", \.isLikeCoreData),
      .values("allow") {
        $0.allowed.insert(try PlanAllowance(parsing: $1))
      }.among(PlanAllowance.words),
      .value("strategy") {
        $0.strategy = try StoreStrategy.Kind(parsing: $1)
        $0.rebuilds = $0.strategy == .rebuild
      }.among(StoreStrategy.Kind.words),
    ]
}

extension PlanRequest {
  func knowing(_ context: CommandContext) -> PlanRequest {
    var request = self
    request.knowsPolicy = context.knowsPolicy
    request.knowsTransformer = context.knowsTransformer
    return request
  }
}
