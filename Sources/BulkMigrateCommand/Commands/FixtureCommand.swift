import BulkFixture
import BulkPlan

/// What was typed after `bulkmigrate fixture`.
struct FixtureArguments: CommandArguments {
  var output = OutputOptions()
  var model: String?
  var path: String?
  var request = FixtureRequest()
}

/// `bulkmigrate fixture`: makes a synthetic store of any model.
enum FixtureCommand {
  static let command = Command(table, run: run)

  private static let table = OptionTable(
    command: "fixture",
    summary: "Make a synthetic store of a model, of any size.",
    explanation: """
      Fills a store of a model with rows: values of every type, text in several scripts, small PNG \
      files in attributes named after pictures, relationships that agree with their inverses, ordered \
      relationships in order. The same options give the same bytes. A store can be dirty on purpose: \
      duplicates against a uniqueness constraint, nil in required attributes, dangling keys.
      """,
    examples: [
      Example(
        "bulkmigrate fixture --model Notes.xcdatamodeld --rows Note=1M,Tag=100K --output Big.sqlite",
        "Make a store with a million notes and a hundred thousand tags."
      ),
      Example(
        "bulkmigrate fixture --model Notes.xcdatamodeld --rows Note=10K --bytes Note.image=10K-200K"
          + " --dirty nulls=1% --output Dirty.sqlite",
        "Make one with large pictures and with required values missing."
      ),
    ],
    defaults: FixtureArguments(),
    options: [
      .value("model", "MODEL", "The model of the store.") { $0.model = $1 },
      .values("rows", "ENTITY=N,…", "How many objects of which entity: 5000, 100K, 2M.") {
        for (name, text) in try PairList.parse($1) {
          $0.request.rows[name] = try PairList.count(text)
        }
      },
      .value("output", short: "o", "STORE", "The store to make; it must not be there yet.") {
        $0.path = $1
      },
      .value("seed", "N", "From what everything is drawn; 1 where it is not given.") {
        guard let seed = UInt64($1) else { throw PairListError("'\($1)' is not a whole number") }
        $0.request.seed = seed
      },
      .value(
        "skew",
        "KIND",
        "How relationships are filled: uniform, or zipf for a few heavy users."
      ) {
        guard let skew = Skew(rawValue: $1) else {
          throw PairListError("'\($1)' is neither uniform nor zipf")
        }
        $0.request.skew = skew
      },
      .values("dirty", "RULE=RATE,…", "What is wrong on purpose: duplicates, nulls, dangling.") {
        for (name, text) in try PairList.parse($1) {
          guard let rule = Dirt.Rule(rawValue: name) else {
            throw PairListError("'\(name)' is none of duplicates, nulls and dangling")
          }
          $0.request.dirt.rates[rule] = try PairList.rate(text)
        }
      },
      .values("bytes", "ENTITY.ATTRIBUTE=SIZE-SIZE,…", "The sizes of binary values: 10K-200K.") {
        for (name, text) in try PairList.parse($1) {
          $0.request.sizes[name] = try PairList.sizes(text)
        }
      },
      .values("nil", "ENTITY.ATTRIBUTE=RATE,…", "How many values of an optional attribute are nil.")
      {
        for (name, text) in try PairList.parse($1) {
          $0.request.nilRates[name] = try PairList.rate(text)
        }
      },
      .values(
        "links",
        "ENTITY.RELATIONSHIP=MEAN,…",
        "The mean number of members of a many-to-many."
      ) {
        for (name, text) in try PairList.parse($1) {
          $0.request.links[name] = try PairList.mean(text)
        }
      },
    ]
  )

  private static func run(
    _ arguments: FixtureArguments,
    _ context: CommandContext
  ) throws -> ExitCode {
    guard let modelPath = arguments.model else {
      throw UsageError.contradiction("no model is named; pass --model")
    }
    guard let path = arguments.path else {
      throw UsageError.contradiction("no store is named; pass --output")
    }
    guard !arguments.request.rows.isEmpty else {
      throw UsageError.contradiction("no rows are asked for; pass --rows ENTITY=N")
    }
    let elapsed = Platform.elapsedTime()
    let fixture = try Fixture(try Planner.model(named: modelPath), arguments.request)
    let rows = try fixture.write(to: path)
    if arguments.output.isJSON {
      try context.output.json(["rows": rows])
    } else {
      try context.output.result(
        "\(path): \(NumberText.grouped(rows)) rows, in \(NumberText.short(elapsed()))"
      )
    }
    return .done
  }
}

extension FixtureError: ErrorWithExitCode {
  var exitCode: ExitCode {
    switch self {
    case .unknown, .abstract: .usage
    case .exists, .cannotWrite: .cannotCreate
    }
  }
}
