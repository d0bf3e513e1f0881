import BulkExecute
import BulkPlan
import BulkPlatform
import BulkReport
import BulkVerify

struct ReportCommand: ParsableCommand {
  var output = OutputOptions()
  /// A state directory or a plan.
  var subject: String?
  var path = Self.defaultPath
  var proofPath: String?

  /// The file that is written by default.
  static let defaultPath = "bulkmigrate.report.html"

  static let table = OptionTable(
    command: "report",
    summary: "Write a page about a migration: before, while, or after it runs.",
    explanation: """
      Writes one page of HTML that needs nothing else: losses, the mapping of every entity as bands and as a table, \
      memory, rows and bytes over time with every interruption, passes, rejects with their reasons, verification, versions \
      and fingerprints. The page of a run that is done has the figures that were found, and none of the plan. \
      Reads a plan or a state directory, whoever works on it, and changes neither. Where a migration is \
      done, its state is kept only by run --resume-if-started, or where objects were left out; run --report writes the page at the end of \
      any run.
      """,
    examples: [
      "bulkmigrate report": "Write a page about the plan in this folder.",
      "bulkmigrate report New.sqlite.bulkmigrate -o new.html":
        "Write a page about what a state directory holds.",
      "bulkmigrate report notes.plan.json --proof proof.json -o -":
        "Print a page with the proof of a verification.",
    ],
    results: [.written],
    defaults: ReportCommand(),
    options: [
      .value(
        "output",
        short: "o",
        "FILE",
        "Where to write the page; - for standard output. An earlier report is replaced."
      ) { $0.path = $1 }.usually(defaultPath),
      .value("proof", "FILE", "A proof that verify has written.") { $0.proofPath = $1 },
    ],
    operands: [
      .optional("STATE|PLAN", "A state directory, or a plan; without it the plan in this folder.") {
        $0.subject = $1
      }
    ]
  )

  func run(_ context: CommandContext) throws -> ExitCode {
    var facts = try Self.facts(of: subject)
    facts.proof = try proofPath.map { path throws(ProofError) in try Proof(contentsOf: path) }
    return try ReportTarget(path: path).publish(facts, besides: nil, context.output)
  }

  private static func facts(of subject: String?) throws -> ReportFacts {
    guard let subject else {
      return facts(of: try PlanFinder().planBegun())
    }
    var isFolder = false
    guard FileManager.default.fileExists(atPath: subject, isDirectory: &isFolder) else {
      throw Refusal(.noInput, "\(subject): no such state directory or plan")
    }
    guard isFolder else { return facts(of: try MigrationPlan(contentsOf: subject)) }
    let location = StateLocation(stateDirectory: subject)
    guard MigrationStatus(location).isKept else {
      throw Refusal(
        .badData,
        "\(subject) is not a state directory of a migration; name one, or a plan"
      )
    }
    let plan = try plan(in: location)
    return ReportFacts(of: MigrationStatus(location, of: plan), plan)
  }

  /// The plan of a migration that is not done, that keeps a receipt, or that left objects out.
  private static func plan(in location: StateLocation) throws -> MigrationPlan {
    if let begun = MigrationStatus(location).plan { return begun }
    if let folder = try RejectFolder(location) ?? RejectFolder.replayed(location) {
      return try folder.plan()
    }
    return try MigrationPlan(contentsOf: location.planPath)
  }

  private static func facts(of plan: MigrationPlan) -> ReportFacts {
    let location = StateLocation(destination: plan.destination.store, stateDirectory: nil)
    let status = MigrationStatus(location, of: plan)
    // The state may be that of another plan with the same destination.
    let left = try? RejectFolder(location)?.summary.plan
    guard (left ?? status.plan?.fingerprint) == plan.fingerprint else {
      return ReportFacts(plan, .planned, tool: ToolVersion.withLibrary)
    }
    return ReportFacts(of: status, plan)
  }
}
