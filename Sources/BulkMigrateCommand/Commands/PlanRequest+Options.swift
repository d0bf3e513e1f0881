internal import BulkVersions

/// The arguments of a command that plans a migration.
protocol PlanningArguments: CommandArguments {
  /// What is to be planned.
  var request: PlanRequest { get set }
}

extension PlanRequest {
  /// The option that names the mapping.
  static func mappingOptions<Arguments: PlanningArguments>() -> [OptionRow<Arguments>] {
    [
      .values(
        "mapping",
        "FILE",
        "A mapping file, which may name stores and models too, an .xcmappingmodel or a .cdm. Several "
          + "together are one mapping of one pair of versions, in this order."
      ) { $0.request.mappingFiles.append($1) }
    ]
  }

  /// The options that say what a mapping file leaves open.
  static func options<Arguments: PlanningArguments>() -> [OptionRow<Arguments>] {
    [
      .value("destination", "STORE", "The store to make; it must not be there yet.") {
        $0.request.destination = $1
      },
      .value(
        "source-model",
        "MODEL",
        "The model that wrote the source. Without it the version that fits is looked for."
      ) { $0.request.sourceModel = $1 },
    ] + routeOptions() + [
      .flag("exact", "Refuse a route of several steps; Core Data knows single ones only.") {
        $0.request.isExact = true
      }
    ]
  }

  /// The options that say where to and by which route a store is migrated.
  static func routeOptions<Arguments: PlanningArguments>() -> [OptionRow<Arguments>] {
    [
      .value("destination-model", "MODEL", "The model of the destination.") {
        $0.request.destinationModel = $1
      },
      .values(
        "models",
        "DIR",
        "Where the versions of the model are: a folder, which is searched, a model, or a package of "
          + "versions. The source's version is found there, and the route to the current one."
      ) { $0.request.models.append($1) },
      .values(
        "mappings",
        "DIR",
        "Where mappings from version to version are; folders are searched. Several for one pair of versions "
          + "together are one mapping, in the order of their paths."
      ) { $0.request.mappings.append($1) },
      .values(
        "ignore-mapping",
        "FILE",
        "A mapping that is found there and not to be used. Without it a mapping that is for this route, "
          + "but whose models have changed since it was saved, is refused: inference would lose what it "
          + "carries."
      ) { $0.request.ignoredMappings.append($1) },
      .value("to", "VERSION", "The version at the end of the route, by its name.") {
        $0.request.version = $1
      },
      .value(
        "configuration",
        "NAME",
        "The configuration of the models whose entities the store has. The others live in stores of their "
          + "own, each with a migration of its own."
      ) { $0.request.configuration = $1 },
      .flag("no-infer", "Infer nothing: only mappings count, for every step of a route.") {
        $0.request.infers = false
      },
      .flag("like-core-data", PlanRequest.likeCoreDataHelp) { $0.request.isLikeCoreData = true },
      .values("allow", "NAME", PlanAllowance.help) {
        $0.request.allowed.insert(try PlanAllowance(parsing: $1))
      }
      .among(PlanAllowance.allCases.map(\.rawValue)),
      .value(
        "strategy",
        "NAME",
        "rebuild writes all rows into a new file, copy copies the file and changes the copy, where rows keep "
          + "their keys. Without it the cheaper one is chosen."
      ) { $0.request.strategy = try StoreStrategy.Kind(parsing: $1) }.among(
        StoreStrategy.Kind.allCases.map(\.rawValue)
      ),
      .flag("no-fuse", "Do the steps of a route one by one, even where several can be done as one.")
      {
        $0.request.fuses = false
      },
      .flag(
        "rebuild",
        "Write the store anew even if it fits the model already and no mapping is named."
      ) {
        $0.request.rebuilds = true
      },
    ]
  }
}

extension PlanRequest {
  /// What the option does that refuses what Core Data refuses.
  static let likeCoreDataHelp =
    "Refuse what Core Data refuses to infer, to test an app: external storage that is no longer allowed, to-many "
    + "that becomes to-one, to-one that becomes to-many without inverse. Do lightweight stages at once."
}

extension PlanAllowance {
  /// What the option that names allowances does.
  static let help =
    "Do what is refused unless it is named: "
    + allCases.map { "\($0.rawValue) (\($0.explanation))" }.joined(separator: ", ") + "."

  init(parsing text: String) throws {
    guard let known = Self(rawValue: text) else {
      throw UnknownWord(text, among: Self.allCases.map(\.rawValue))
    }
    self = known
  }
}
