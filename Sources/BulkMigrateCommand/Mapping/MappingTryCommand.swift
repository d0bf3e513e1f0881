import BulkExecute
import BulkModel
import BulkPreflight

struct MappingTryCommand: ParsableCommand {
  var output = OutputOptions()
  var models = MappingModels()
  var sample = SampleOptions()
  var file: String?
  var expression: ValueExpression?
  var source: String?
  var entity: String?

  static let table = OptionTable<MappingTryCommand>(
    "mapping try",
    results: [.mappingTrial, .evaluation],
    options: [
      .value("source", \.source),
      .value("entity", \.entity),
      .value("expression") {
        $0.expression = try .trial($1)
      },
    ] + MappingModels.rows.within(\MappingTryCommand.models)
      + SampleOptions.rows.within(\MappingTryCommand.sample),
    operands: [.optional("FILE", \.file)]
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

struct SampleOptions: Sendable {
  var choice = SampleChoice()
  var isMarkdown = false

  private static let countLimit = 1_000

  static let rows: [OptionRow<SampleOptions>] = [
    .value("sample", in: 1...countLimit, \.choice.count),
    .value("where") {
      $0.choice.predicate = try ValuePredicate(format: $1)
    },
    .flag("markdown", \.isMarkdown),
  ]
}

extension TrialRefusal: ErrorWithExitCode {
  var exitCode: ExitCode { isOfName ? .usage : .badData }
}
