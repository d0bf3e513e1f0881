import BulkExecute
import BulkModel
import BulkPreflight

struct MappingTryCommand: ParsableCommand {
  var output = OutputOptions()
  var models = MappingModels()
  var sample = SampleOptions()
  /// The mapping file; `nil` where an expression is tried.
  var file: String?
  var expression: ValueExpression?
  /// The store to read; `nil` for the one that the file names.
  var source: String?
  /// The entity mapping, or the entity of some, to try; `nil` for all.
  var entity: String?

  static let table = OptionTable(
    command: "mapping try",
    summary: "Show some objects before and after, or the values of an expression.",
    explanation: """
      Shows some objects of the source before and after, side by side, with every expression and its value, or its \
      error with line and column; an expression that fails hides no other. With --expression it shows the value of one \
      expression or predicate for some objects of an entity: $source is the object, and so is SELF; a bare name is one \
      of its properties. The store is only read: for at most 10 seconds, or with --where until enough objects are \
      found, or 1,000,000 rows. No store is written: related objects of the destination, rules of the model and \
      policies need a run, or preflight. It ends with 65 if something that is shown fails.
      """,
    examples: [
      "bulkmigrate mapping try all.json --source Notes.sqlite --sample 2":
        "See two objects of each entity before and after.",
      "bulkmigrate mapping try --source Notes.sqlite --entity Note --expression 'uppercase:(title)'":
        "See the values of an expression for the first five notes.",
    ],
    results: [.mappingTrial, .evaluation],
    defaults: MappingTryCommand(),
    options: [
      .value("source", "STORE", \.source).help(
        "The store to read; without it the one that FILE names."
      ),
      .value("entity", "NAME", \.entity).help(
        "Try only an entity mapping, or those from or to an entity."
      ),
      .value("expression", "TEXT") {
        $0.expression = try .trial($1)
      }.help("Try an expression or a predicate instead of a file."),
    ] + MappingModels.rows.within(\MappingTryCommand.models)
      + SampleOptions.rows.within(\MappingTryCommand.sample),
    operands: [.optional("FILE", "The mapping file.", \.file)]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    var choice = sample.choice
    choice.transformers = context.policies.transformers
    if let expression { return try evaluate(expression, choice, context.output) }
    guard let file else { throw UsageError.missingOperand("FILE") }
    var trial = MappingTrial(file)
    (trial.store, trial.entity) = (source, entity)
    (trial.sourceModel, trial.destinationModel) = (models.source, models.destination)
    trial.choice = choice
    let report = try trial.run()
    let lines = report.lines(isMarkdown: sample.isMarkdown)
    try context.output.show(report, as: .mappingTrial, lines)
    return report.isSound ? .done : .badData
  }

  private func evaluate(
    _ expression: ValueExpression,
    _ choice: SampleChoice,
    _ output: Output
  ) throws -> ExitCode {
    if let file { throw UsageError("--expression takes no mapping file; leave out \(file)") }
    guard let source, let entity else {
      throw UsageError("--expression needs --source STORE and --entity NAME")
    }
    var trial = ExpressionTrial(expression, of: entity, in: source)
    trial.model = models.source
    trial.choice = choice
    let report = try trial.run()
    try output.show(report, as: .evaluation, report.lines(isMarkdown: sample.isMarkdown))
    return report.isSound ? .done : .badData
  }
}

extension ValueExpression {
  /// An expression, or a predicate, which is true or false.
  fileprivate static func trial(_ text: String) throws -> ValueExpression {
    do {
      return try ValueExpression(format: text)
    } catch {
      guard let predicate = try? ValuePredicate(format: text) else { throw error }
      let values = [true, false].map { ValueExpression.constant(.boolean($0)) }
      return .ternary(predicate, then: values[0], otherwise: values[1])
    }
  }
}

/// The options for the objects that are shown.
struct SampleOptions: Sendable {
  var choice = SampleChoice()
  var isMarkdown = false

  private static let countLimit = 1_000

  static let rows: [OptionRow<SampleOptions>] = [
    .value("sample", "N", in: 1...countLimit, \.choice.count).help(
      "How many objects to show, from 1 to \(countLimit)."
    ),
    .value("where", "PREDICATE") {
      $0.choice.predicate = try ValuePredicate(format: $1)
    }.help("Show objects of the source for which a predicate holds."),
    .flag("markdown", \.isMarkdown).help("Print tables in Markdown."),
  ]
}

extension TrialRefusal: ErrorWithExitCode {
  var exitCode: ExitCode { isOfName ? .usage : .badData }
}
