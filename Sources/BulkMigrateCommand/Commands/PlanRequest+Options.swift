internal import BulkVersions

extension PlanRequest {
  static let mappingOptions: [OptionRow<PlanRequest>] =
    [
      .values(
        "mapping",
        "FILE",
        "A mapping file, which may name stores and models too, an .xcmappingmodel or a .cdm. Several "
          + "together are one mapping of one pair of versions, in this order."
      ) { $0.mappingFiles.append($1) }
    ]

  /// The options for what a mapping file leaves open.
  static let options: [OptionRow<PlanRequest>] =
    [
      .value("destination", "STORE", "The store to make; it must not be there yet.") {
        $0.destination = $1
      },
      .value(
        "source-model",
        "MODEL",
        "The model that wrote the source. Without it the version that fits is looked for."
      ) { $0.sourceModel = $1 },
    ] + routeOptions

  /// The options for the destination's version and the route to it.
  static let routeOptions: [OptionRow<PlanRequest>] =
    [
      .value("destination-model", "MODEL", "The model of the destination.") {
        $0.destinationModel = $1
      },
      .values(
        "models",
        "DIR",
        "Where the versions of the model are: a folder, which is searched, a model, a package of "
          + "versions, or a store of each. The source's version is found there, and the route to the current one."
      ) { $0.models.append($1) },
      .values(
        "mappings",
        "DIR",
        "Where mappings from version to version are; folders are searched. Several for one pair of versions "
          + "together are one mapping, in the order of their paths."
      ) { $0.mappings.append($1) },
      .values(
        "ignore-mapping",
        "FILE",
        "A mapping that is found there and not to be used. Without it a mapping that is for this route, "
          + "but whose models have changed since it was saved, is refused: inference would lose what it "
          + "carries."
      ) { $0.ignoredMappings.append($1) },
      .value("to", "VERSION", "The version at the end of the route, by its name.") {
        $0.version = $1
      },
      .value(
        "configuration",
        "NAME",
        "The configuration of the models whose entities the store has. The others live in stores of their "
          + "own, each with a migration of its own."
      ) { $0.configuration = $1 },
      .flag("no-infer", "Infer nothing: only mappings count, for every step of a route.") {
        $0.infers = false
      },
      .flag("like-core-data", PlanRequest.likeCoreDataHelp) { $0.isLikeCoreData = true },
      .flag("partial-history", PlanRequest.partialHistoryHelp) {
        $0.keepsPartialHistory = true
      },
      .value("several", "WHICH", severalHelp) { $0.takesFirst = try takesFirst($1) }
        .among(["first"]),
      .values("allow", "NAME", PlanAllowance.help) {
        $0.allowed.insert(try PlanAllowance(parsing: $1))
      }.among(PlanAllowance.words),
      .word(
        "strategy",
        "NAME",
        "rebuild writes all rows into a new file, copy copies the file and changes the copy, where rows keep "
          + "their keys. Without it the cheaper one is chosen."
      ) { $0.strategy = $1 },
      .flag("no-fuse", "Do the steps of a route one by one, even where several can be done as one.")
      {
        $0.fuses = false
      },
      .flag(
        "rebuild",
        "Rewrite the store even if it fits the model already and no mapping is named."
      ) {
        $0.rebuilds = true
      },
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

  static let likeCoreDataHelp =
    "Refuse what Core Data refuses to infer, to test an app: external storage that is no longer allowed, to-many "
    + "that becomes to-one, to-one that becomes to-many without inverse. Do lightweight stages at once."

  static let severalHelp =
    "first lets to-one relationships of mappings take the first of several objects, which break a rule otherwise, "
    + "as in Core Data. A mapping file can say so of each relationship."

  /// Whether a word of the option `several` names the first object.
  static func takesFirst(_ word: String) throws(UsageError) -> Bool {
    guard word == "first" else { throw UsageError(word, among: ["first"]) }
    return true
  }

  static let partialHistoryHelp =
    "Of the persistent history drop only the changes of removed entities. Without it the history is cut at the last "
    + "of them, as Core Data does."
}

extension PlanAllowance {
  static let help =
    "Do what is refused unless it is named: "
    + allCases.map { "\($0.rawValue) (\($0.explanation))" }.joined(separator: ", ") + "."
}
