import BulkExecute
import BulkModel
import BulkPreflight

struct EvaluateCommand: ParsableCommand {
  var output = OutputOptions()
  var sample = SampleOptions()
  var store = ""
  var entity = ""
  var expression = ValueExpression.constant(.null)
  var model: String?

  static let table = OptionTable(
    command: "evaluate",
    summary: "Show the values of an expression for some objects of a store.",
    explanation: """
      Evaluates an expression as a mapping file has it, for the first objects of an entity or for those that --where \
      selects, and shows each value with its type, or why there is none. $source is the object, and so is SELF; \
      a bare name is one of its properties. The store is only read: without --where at most \
      1,000 pages of it, with --where until enough objects are found, or through 1,000,000 rows. It ends \
      with 65 if the expression cannot be evaluated, or fails for an object that is shown.
      """,
    examples: [
      "bulkmigrate evaluate Notes.sqlite Note 'uppercase:($source.title)'":
        "See what an expression gives for the first five notes.",
      "bulkmigrate evaluate Notes.sqlite Note 'tags.@count' --where 'title == nil' --sample 20":
        "Count the tags of twenty notes without a title.",
    ],
    results: [.evaluation],
    defaults: EvaluateCommand(),
    options: [
      .value(
        "model",
        "MODEL",
        "The model that wrote the store; without it the copy that the store keeps."
      ) {
        $0.model = $1
      }
    ] + SampleOptions.rows.within(\EvaluateCommand.sample),
    operands: [
      .required("STORE", "The store to read.") { $0.store = $1 },
      .required("ENTITY", "The entity; objects of entities below it are left out.") {
        $0.entity = $1
      },
      .required("EXPRESSION", "The expression, in Core Data's syntax.") {
        $0.expression = try ValueExpression(format: $1)
      },
    ]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    var trial = ExpressionTrial(expression, of: entity, in: store)
    trial.model = model
    trial.choice = sample.choice
    trial.choice.transformers = context.policies.transformers
    let report = try trial.run()
    try context.output.show(
      report,
      as: .evaluation,
      report.lines(isMarkdown: sample.isMarkdown)
    )
    return report.isSound ? .done : .badData
  }
}

/// The options for the objects that are shown.
struct SampleOptions: Sendable {
  var choice = SampleChoice()
  var isMarkdown = false

  private static let countLimit = 1_000

  static let rows: [OptionRow<SampleOptions>] = [
    .value("sample", "N", "How many objects to show, from 1 to \(countLimit).") {
      $0.choice.count = try Int(parsing: $1, in: 1...countLimit)
    }.usually("\(SampleChoice().count)"),
    .value("where", "PREDICATE", "Show objects of the source for which a predicate holds.") {
      $0.choice.predicate = try ValuePredicate(format: $1)
    },
    .flag("markdown", "Print tables in Markdown.") { $0.isMarkdown = true },
  ]
}

extension TrialRefusal: ErrorWithExitCode {
  var exitCode: ExitCode { isOfName ? .usage : .badData }
}
