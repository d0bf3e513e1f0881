import BulkCoding
import BulkExecute
import BulkPlan
import BulkPlatform
import BulkVerify
import BulkVersions

/// The arguments of `bulkmigrate verify`.
struct VerifyArguments: CommandArguments {
  var output = OutputOptions()
  var planPath: String?
  var level = VerificationLevel.quick
  var destination: String?
  var scratchFolder: String?
  var stateDirectory: String?
  var maxMemory = RunArguments.usualMemory
  /// Where to write a proof.
  var proofPath: String?
  /// An earlier proof to check.
  var earlierProof: String?
  /// Where to write the results as JUnit does.
  var junitPath: String?
}

/// `bulkmigrate verify`: compares a destination with what its plan says of its source.
enum VerifyCommand {
  static let command = Command(table, run: run)

  private static let table = OptionTable(
    command: "verify",
    summary: "Prove that a destination is what the plan says of its source.",
    explanation: """
      Reads the destination of a plan, and the source, and changes neither. Level quick checks the store \
      itself: its structure with all indexes, metadata, keys, entity numbers, references, and the files of \
      external values. Inferred migrations keep references that lead nowhere, so of these no more may do so than in the \
      source. Level full makes the store a second time in another way, beside the destination: \
      nothing is written as pages, and filters and values of mapping models are evaluated row by row. Then it \
      compares every row and names every difference: entity, key, property, expected, found, and the \
      source object; also constraints, the model that the store keeps, and external files that nothing expects, and what of the \
      source is neither read nor counted as lost. It needs as much room as the destination; an interrupted one is resumed by the next. \
      At both levels it checks what "expect" in the mapping file says of the destination: counts of objects, \
      and predicates that they satisfy. It ends with 0 if nothing differs and all of it holds, else with 4.
      """,
    examples: [
      Example("bulkmigrate verify", "Check the destination of the plan in this folder."),
      Example(
        "bulkmigrate verify --level full --proof proof.json",
        "Compare every row, and keep a record that can be checked later."
      ),
      Example("bulkmigrate verify --against proof.json", "See whether it is still the same."),
      Example(
        "bulkmigrate verify --junit results.xml",
        "Run what the mapping file expects as tests of continuous integration."
      ),
      Example(
        "bulkmigrate verify --level full --destination Other.sqlite",
        "Verify a store that somebody else made from the same source."
      ),
    ],
    results: [.verification],
    defaults: VerifyArguments(),
    options: [
      .value("plan", "FILE", "The plan by which the destination was made.") { $0.planPath = $1 },
      .value("level", "LEVEL", "quick or full, see above.") {
        guard let level = VerificationLevel(rawValue: $1) else {
          throw UnknownWord($1, among: VerificationLevel.allCases.map(\.rawValue))
        }
        $0.level = level
      }.among(VerificationLevel.allCases.map(\.rawValue)).usually("quick"),
      .value("destination", "STORE", "The store to verify in place of the plan's destination.") {
        $0.destination = $1
      },
      .value("max-memory", short: "m", "SIZE", "Memory the process may hold.") {
        $0.maxMemory = try ByteCount(parsing: $1)
      }.usually("\(RunArguments.usualMemory)"),
      .value(
        "state-dir",
        "DIR",
        "The state directory of the migration, where it is not beside the destination."
      ) { $0.stateDirectory = $1 },
      .value(
        "scratch",
        "DIR",
        "A folder for the expected store, to be made or empty; without it one beside the destination."
      ) { $0.scratchFolder = $1 },
      .value("proof", "FILE", "Write a record of what was verified.") { $0.proofPath = $1 },
      .value("against", "FILE", "Compare with an earlier record as well.") {
        $0.earlierProof = $1
      },
      .value("junit", "FILE", "Write the results as a JUnit report, replacing an earlier one.") {
        $0.junitPath = $1
      },
    ]
  )

  private static func run(
    _ arguments: VerifyArguments,
    _ context: CommandContext
  ) throws -> ExitCode {
    let base = ProcessMemory.resident
    let plan = try PlanFinder(planPath: arguments.planPath, stateDirectory: nil).planToRun()
    let earlier = try arguments.earlierProof.map { try Proof(contentsOf: $0) }
    if let path = arguments.proofPath {
      guard !FileManager.default.fileExists(atPath: path) else {
        throw MigrationError.cannotCreate(
          path: path,
          reason: "it already exists and is not overwritten; name another --proof"
        )
      }
      try OwnFile.refuseFolder(of: path)
    }
    try arguments.junitPath.map { try JUnitReport.file($0).refuse(besides: plan) }
    var verification = Verification(plan)
    verification.level = arguments.level
    verification.destination = arguments.destination.map { FilePath.absolute($0) }
    verification.scratchFolder = arguments.scratchFolder.map { FilePath.absolute($0) }
    verification.migrationState = arguments.stateDirectory
    verification.memoryLimit = arguments.maxMemory
    verification.baseMemory = base
    verification.policies = context.policies
    let hint = "stopped; the same command continues it"
    return try context.stoppable(warning: hint) { stopping, progress in
      verification.stopRequest = { stopping.request }
      verification.report = {
        progress.update(
          ProgressSnapshot(
            stage: $0.stage.rawValue,
            rowsDone: $0.rowsDone,
            rowsAtMost: $0.rowsTotal,
            memoryLimit: arguments.maxMemory
          )
        )
      }
      var report = try verification.run()
      if let earlier { report = try verification.compare(report, against: earlier) }
      let proof =
        report.isVerified && arguments.proofPath != nil ? try verification.proof(of: report) : nil
      progress.finish()
      try printReport(report, arguments, context)
      if let path = arguments.junitPath {
        try JUnitReport(report).write(to: path, ofStore: plan.source.store)
        context.output.note("results written to \(path)")
      }
      if let path = arguments.proofPath {
        if let proof {
          try write(proof, to: path, context)
        } else {
          context.output.warning("no proof is written, since not all is as it should be")
        }
      }
      return report.isVerified ? .done : .verificationFailed
    }
  }

  private static func printReport(
    _ report: VerificationReport,
    _ arguments: VerifyArguments,
    _ context: CommandContext
  ) throws {
    if arguments.output.isJSON {
      try context.output.json(report, as: .verification)
    } else {
      try context.output.result(VerificationText(report).lines)
    }
  }

  private static func write(_ proof: Proof, to path: String, _ context: CommandContext) throws {
    try OwnFile.writeNew(StableJSON.document(proof) + "\n", to: path)
    context.output.note("proof written to \(path)")
  }
}

/// What a verification found, as text.
struct VerificationText {
  private let report: VerificationReport

  init(_ report: VerificationReport) { self.report = report }

  /// The lines: the differences and the expectations, one a line, then a sentence.
  var lines: [String] {
    let more = report.differenceCount - Int64(report.differences.count)
    return report.sentences
      + (more > 0 ? ["and \(NumberText.grouped(more)) more"] : [])
      + (report.expectations ?? []).map(Self.line) + [sum]
  }

  private static func line(of result: ExpectationResult) -> String {
    if result.isSkipped { return "skipped \(result.name): \(result.reason ?? "")" }
    guard let reason = result.reason else { return "ok      \(result.name)" }
    return "not ok  \(result.name): \(reason)"
  }

  private var expectations: String {
    guard let all = report.expectations else { return "" }
    let checked = all.count { !$0.isSkipped }
    let met = checked - report.unmetCount
    let skipped = checked < all.count ? ", \(all.count - checked) skipped" : ""
    return ", \(met) of \(checked) \(checked == 1 ? "expectation" : "expectations") met\(skipped)"
  }

  private var sum: String {
    let rows =
      report.rowsCompared > 0 ? ", \(NumberText.grouped(report.rowsCompared)) rows compared" : ""
    let count = report.differenceCount
    let result =
      count == 0
      ? "nothing differs"
      : "\(NumberText.grouped(count)) \(count == 1 ? "difference" : "differences")"
    let rejected =
      report.rejected.map { "; \(NumberText.grouped($0)) were left out of it by the migration" }
      ?? ""
    return
      "\(report.destination): \(report.level.rawValue)\(rows), \(result)\(expectations)\(rejected)"
  }
}

extension ProofError: ErrorWithExitCode {
  var exitCode: ExitCode { isMissing ? .noInput : .badData }
}
