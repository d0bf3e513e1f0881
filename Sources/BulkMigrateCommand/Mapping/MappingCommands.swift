internal import BulkPlan
import BulkSupport
import BulkExecute
import BulkMapping
import BulkModel
import BulkMigrate

extension Arguments {
  private func workbench(_ file: String) throws -> MappingWorkbench {
    try MappingWorkbench(
      file,
      sourceModel: request.sourceModel,
      destinationModel: request.destinationModel
    )
  }

  /// The folder of the file to write, to which paths of models in it are relative.
  private var mappingFolder: String {
    outputPath.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path } ?? "."
  }

  /// Writes a mapping into the file that is named; to standard output by default.
  private func write(_ text: String, _ output: Output) throws {
    guard let path = outputPath else { return try output.result(String(text.dropLast())) }
    let target = OutputTarget(path, .new)
    try target.refuse()
    try target.write(text)
    try noteMapping(path, output)
  }

  private func noteMapping(_ path: String, _ output: Output) throws {
    guard !output.isJSON else { return try output.json(["path": path], as: .written) }
    output.note("mapping written to \(path)")
  }

  func beginMapping(_ context: CommandContext) throws -> ExitCode {
    let output = context.output
    guard let source = request.sourceModel, let destination = request.destinationModel else {
      throw UsageError("pass --source-model and --destination-model")
    }
    let starter = try MappingWorkbench.starter(from: source, to: destination, in: mappingFolder)
    let beside = outputPath.map {
      URL(fileURLWithPath: $0).deletingPathExtension().path + ".proposed.json"
    }
    let proposed = beside.map { OutputTarget($0, .new) }
    if starter.proposed != nil { try proposed?.refuse() }
    try write(starter.text, output)
    for refusal in starter.refusals {
      let subject = [refusal.entity, refusal.property].compactMap(\.self).joined(separator: ".")
      output.note("to be decided: \(subject): \(refusal.reason)")
    }
    for proposal in starter.proposals { output.note("suggestion: \(proposal)") }
    if let text = starter.proposed, let proposed {
      try proposed.write(text)
      output.note("mapping with all suggestions applied written to \(proposed.path)")
    }
    return .done
  }

  func checkMapping(_ context: CommandContext) throws -> ExitCode {
    let findings = try workbench(file).findings(
      knowsPolicy: context.knowsPolicy,
      knowsTransformer: context.knowsTransformer
    )
    try context.output.show(
      ["findings": findings],
      as: .mappingFindings,
      findings.isEmpty
        ? ["\(file): nothing found"]
        : findings.map { $0.line(of: file) }
    )
    return findings.contains { $0.severity == .error } ? .badData : .done
  }

  func convertMapping(_ context: CommandContext) throws -> ExitCode {
    let type = outputPath.map { URL(fileURLWithPath: $0).pathExtension.lowercased() }
    if let outputPath, type == "cdm" || type == "xcmappingmodel" {
      try convertMapping(for: outputPath, isCompiled: type == "cdm", context.output)
      return .done
    }
    let (text, warnings) = try workbench(file).json(in: mappingFolder)
    try write(text, context.output)
    for warning in warnings { context.output.warning(warning) }
    return .done
  }

  private func convertMapping(for path: String, isCompiled: Bool, _ output: Output) throws {
    let found = try workbench(file).xcodeFile(isCompiled: isCompiled, in: mappingFolder)
    try OutputTarget(path, .new).refuse()
    let file = isCompiled ? path : "\(path)/\(MappingFile.xcodeSourceName)"
    if !isCompiled {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    try OutputTarget(file, .new).write(found.bytes)
    try noteMapping(path, output)
    for warning in found.warnings { output.warning(warning) }
    for policy in found.policies { output.note("the app needs the policy class \(policy)") }
  }

  func compareMappings(_ context: CommandContext) throws -> ExitCode {
    let mappings = try [file, otherFile].map { try workbench($0).mappingModel().model }
    let differences = mappings[0].differences(to: mappings[1])
    return try context.output.show(
      ["differences": differences],
      as: .mappingDifferences,
      differences.lines
    )
  }
}

extension [MappingDifference] {
  var lines: [String] {
    guard !isEmpty else { return ["no difference"] }
    var lines: [String] = []
    var mapping: String?
    for difference in self {
      if difference.mapping != mapping { lines.append(difference.mapping) }
      mapping = difference.mapping
      let name = difference.name.map { " \($0)" } ?? ""
      lines.append("  \(difference.aspect.rawValue)\(name)")
      lines.append("    before  \(difference.before ?? "-")")
      lines.append("    after   \(difference.after ?? "-")")
    }
    return lines
  }
}

extension Arguments {
  func tryMapping(_ context: CommandContext) throws -> ExitCode {
    var choice = choice
    choice.transformers = context.policies.transformers
    if let expression { return try evaluate(expression, choice, context.output) }
    guard !file.isEmpty else { throw UsageError.missingOperand("FILE") }
    var trial = MappingTrial(file)
    (trial.store, trial.entity) = (request.source, entity)
    (trial.sourceModel, trial.destinationModel) = (request.sourceModel, request.destinationModel)
    trial.choice = choice
    let report = try trial.run()
    let lines = report.lines(isMarkdown: isMarkdown)
    try context.output.show(report, as: .mappingTrial, lines)
    return report.isSound ? .done : .badData
  }

  private func evaluate(
    _ expression: ValueExpression,
    _ choice: SampleChoice,
    _ output: Output
  ) throws -> ExitCode {
    guard let source = request.source, let entity else {
      throw UsageError("--expression needs --source STORE and --entity NAME")
    }
    var trial = ExpressionTrial(expression, of: entity, in: source)
    trial.model = request.sourceModel
    trial.choice = choice
    let report = try trial.run()
    try output.show(report, as: .evaluation, report.lines(isMarkdown: isMarkdown))
    return report.isSound ? .done : .badData
  }
}

extension ValueExpression {
  static func trial(_ text: String) throws -> ValueExpression {
    do {
      return try ValueExpression(format: text)
    } catch {
      guard let predicate = try? ValuePredicate(format: text) else { throw error }
      let values = [true, false].map { ValueExpression.constant(.boolean($0)) }
      return .ternary(predicate, then: values[0], otherwise: values[1])
    }
  }
}

extension TrialRefusal: ErrorWithExitCode {
  var exitCode: ExitCode { isOfName ? .usage : .badData }
}

private let valueWidth = 32
private let expressionWidth = 48

extension MappingTrialReport {
  func lines(isMarkdown: Bool) -> [String] {
    var page = Document(isMarkdown: isMarkdown)
    for tried in entityMappings {
      let sides = "\(tried.source ?? "nothing") to \(tried.destination ?? "nothing")"
      page.addHeading("\(tried.name): \(sides)", level: 2)
      for note in tried.notes + tried.errors.map({ "error: \($0)" }) { page.note(note) }
      for object in tried.objects {
        page.addHeading(
          "\(tried.source ?? "") \(object.key)\(object.elementText)",
          level: 3,
          indent: 2
        )
        page.addTable(["BEFORE", "PROPERTY", "AFTER", "BY"], object.values.map(\.row))
      }
      if let course = tried.course { page.say(course, shown: Set(tried.objects.map(\.key)).count) }
    }
    if !omitted.isEmpty {
      let names = omitted.joined(separator: ", ")
      page.addSentence("inferred and not shown: \(names); to see one, pass --entity")
    }
    return page.lines
  }
}

extension TriedObject {
  fileprivate var elementText: String {
    guard let element else { return "" }
    let value = element.value.description.truncated(to: valueWidth)
    return ", element \(element.position) of \(element.count): \(value)"
  }
}

extension TriedValue {
  fileprivate var row: Document.Row {
    let inputs = before.map { $0.path.isEmpty ? "\($0.value)" : "\($0.path) \($0.value)" }
    let value = error == nil ? after?.description ?? "" : "error"
    return Document.Row(
      cells: [
        inputs.joined(separator: ", ").truncated(to: valueWidth), name,
        value.truncated(to: valueWidth), by.truncated(to: expressionWidth),
      ],
      remarks: [error?.description, note].compactMap(\.self)
    )
  }
}

extension ExpressionTrialReport {
  func lines(isMarkdown: Bool) -> [String] {
    var page = Document(isMarkdown: isMarkdown)
    page.addHeading("\(expression): \(type)", level: 2)
    let rows = objects.map { object in
      let value = object.value?.description.truncated(to: expressionWidth) ?? "error"
      return Document.Row(
        cells: ["\(entity) \(object.key)", value, object.type ?? ""],
        remarks: [object.error].compactMap(\.self)
      )
    }
    if !rows.isEmpty { page.addTable(["OBJECT", "VALUE", "TYPE"], rows) }
    page.say(course, shown: objects.count)
    return page.lines
  }
}

extension Document {
  fileprivate mutating func note(_ text: String) {
    addSentence(text, indent: 2, isApart: false)
  }

  fileprivate mutating func say(_ course: SampleCourse, shown: Int) {
    if let failure = course.failure {
      let objects = course.failed.phrase("object")
      note("error: --where cannot be evaluated for \(objects), the first is \(failure)")
    }
    let left =
      course.filtered == 0
      ? "" : ", \(course.filtered.grouped) left out by the filter"
    let found = "\(shown.phrase("object")) of \(course.rows.phrase("row")) shown"
    addSentence(found + left + Self.text(of: course.end), indent: 2)
  }

  private static func text(of end: SampleEnd) -> String {
    switch end {
    case .count: return ""
    case .all: return "; there are no others"
    case .time:
      return
        "; stopped at its share of \(SampleChoice.secondLimit) seconds; to look further, pass --where"
    case .rows: return "; stopped after \(SampleChoice.rowLimit.grouped) rows"
    }
  }
}
