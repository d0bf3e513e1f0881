internal import BulkVersions

extension PlanRequest {
  static let mappingOptions: [OptionRow<PlanRequest>] =
    [
      .values("mapping", "FILE", \.mappingFiles).help(
        "A mapping file, which may name stores and models too, an .xcmappingmodel or a .cdm. Several "
          + "together are one mapping of one pair of versions, in this order."
      )
    ]

  /// The options for what a mapping file leaves open.
  static let options: [OptionRow<PlanRequest>] =
    [
      .value("destination", "STORE", \.destination).help(
        "The store to make; it must not be there yet."
      ),
      .value("source-model", "MODEL", \.sourceModel).help(
        "The model that wrote the source. Without it the version that fits is looked for."
      ),
      .flag("no-fuse") {
        $0.fuses = false
      }.help("Do the steps of a route one by one, even where several can be done as one."),
    ] + routeOptions

  /// The options for the destination's version and the route to it.
  static let routeOptions: [OptionRow<PlanRequest>] =
    [
      .value("destination-model", "MODEL", \.destinationModel).help(
        "The model of the destination."
      ),
      .values("models", "DIR", \.models).help(
        "Where the versions of the model are: a folder, which is searched, a model, a package of "
          + "versions, or a store of each. The source's version is found there, and the route to the current one."
      ),
      .values("mappings", "DIR", \.mappings).help(
        "Where mappings from version to version are; folders are searched. Several for one pair of versions "
          + "together are one mapping, in the order of their paths."
      ),
      .values("ignore-mapping", "FILE", \.ignoredMappings).help(
        "A mapping that is found there and not to be used. Without it a mapping that is for this route, "
          + "but whose models have changed since it was saved, is refused: inference would lose what it "
          + "carries."
      ),
      .value("to", "VERSION", \.version).help("The version at the end of the route, by its name."),
      .value("configuration", "NAME", \.configuration).help(
        "The configuration of the models whose entities the store has. The others live in stores of their "
          + "own, each with a migration of its own."
      ),
      .flag("no-infer") {
        $0.infers = false
      }.help("Infer nothing: only mappings count, for every step of a route."),
      .flag("like-core-data", \.isLikeCoreData).help(
        "Refuse what Core Data refuses to infer, to test an app: external storage that is no longer allowed, to-many "
          + "that becomes to-one, to-one that becomes to-many without inverse. Do lightweight stages at once."
      ),
      .values("allow", "NAME") {
        $0.allowed.insert(try PlanAllowance(parsing: $1))
      }.help(
        "Do what is otherwise refused, or done with loss: "
          + PlanAllowance.allCases.map { "\($0.rawValue) (\($0.explanation))" }
          .joined(separator: ", ") + "."
      ).among(PlanAllowance.words),
      .value("strategy", "NAME") {
        $0.strategy = try StoreStrategy.Kind(parsing: $1)
        $0.rebuilds = $0.strategy == .rebuild
      }.help(
        "rebuild writes all rows into a new file, even if the store fits the model already and no mapping is named; copy "
          + "copies the file and changes the copy, where rows keep their keys. Without it the cheaper one is chosen."
      ).among(StoreStrategy.Kind.words),
    ]
}

extension PlanRequest {
  /// The same request, which knows the policies and transformers of the program.
  func knowing(_ context: CommandContext) -> PlanRequest {
    var request = self
    request.knowsPolicy = context.knowsPolicy
    request.knowsTransformer = context.knowsTransformer
    return request
  }
}
