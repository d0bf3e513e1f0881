import BulkTestSupport
import Testing

@testable import BulkMigrateCommand

/// What every command prints with `--json` for a small store is as the schema of its format says.
@Suite("Documents and their schemas", .program)
struct ResultSchemaTests {
  /// A command, what it is to end with, and the format of what it prints.
  struct Call: Sendable, CustomTestStringConvertible {
    let format: ResultFormat
    let status: Int32
    /// What is to be done before, line by line.
    let before: [String]
    let words: [String]

    init(_ format: ResultFormat, _ line: String, after before: String..., ending status: Int32 = 0)
    {
      (self.format, self.status, self.before) = (format, status, before)
      words = line.words
    }

    var testDescription: String { words.joined(separator: " ") }
  }

  private static let plan = Program.plan.joined(separator: " ") + " -q"
  private static let rejecting = "plan -q --mapping all.json"
  private static let quarantine = "run -q --on-error quarantine"
  private static let fleetPlan = FleetFolder.planning.joined(separator: " ") + " -q"

  static let calls: [Call] = [
    Call(.storeReport, "inspect Notes.sqlite --models ."),
    Call(.storeReport, "inspect Notes.sqlite --metadata-only --model v2.mom", ending: 1),
    Call(.modelReport, "inspect v1.mom"),
    Call(.mappingReport, "inspect all.json"),
    Call(.plan, plan),
    Call(.plan, "plan bulkmigrate.plan.json", after: plan),
    Call(.planDifferences, "plan --diff bulkmigrate.plan.json", after: plan),
    Call(
      .planDifferences,
      "plan --diff bulkmigrate.plan.json other.json",
      after: plan,
      rejecting + " -o other.json"
    ),
    Call(.check, "check Notes.sqlite none.sqlite --models models --to v2", ending: 66),
    Call(.check, "check Notes.sqlite --models v2.mom", ending: 1),
    Call(.record, "plan --source a --destination b --destination-model c", ending: 66),
    Call(.preflight, "preflight", after: plan),
    Call(.record, "run", after: plan),
    Call(.record, "run", ending: 66),
    Call(.record, quarantine, after: rejecting, ending: 3),
    Call(.record, "run --resume-if-started", after: plan, "run -q --resume-if-started"),
    Call(.record, "resume", after: plan, ending: 66),
    Call(.record, "status", after: plan),
    Call(.record, "status", after: plan, "run -q --resume-if-started"),
    Call(.verification, "verify --level full", after: plan, "run -q"),
    Call(.verification, "verify", after: plan, "run -q", rejecting, ending: 4),
    Call(.rejects, "rejects list", after: rejecting, quarantine),
    Call(.rejectedObject, "rejects show Note", after: rejecting, quarantine),
    Call(.record, "rejects replay", after: rejecting, quarantine, "CORRECT"),
    Call(.record, "rejects list", after: plan, "run -q"),
    Call(.written, "report -o page.html", after: plan),
    Call(.record, "migrate Notes.sqlite --destination-model v2.mom --max-loss all"),
    Call(.record, "migrate Notes.sqlite --destination-model v1.mom"),
    Call(.record, "migrate none.sqlite --destination-model v1.mom", ending: 66),
    Call(
      .record,
      "rollback Notes.sqlite",
      after: "migrate -q Notes.sqlite --destination-model v2.mom"
    ),
    Call(.mapping, "mapping init --source-model v1.mom --destination-model v2.mom"),
    Call(.written, "mapping init --source-model v1.mom --destination-model v2.mom -o m.json"),
    Call(.mapping, "mapping convert all.json"),
    Call(.written, "mapping convert all.json -o converted.json"),
    Call(.mappingFindings, "mapping check all.json"),
    Call(.mappingFindings, "mapping check wrong.json", ending: 65),
    Call(.mappingTrial, "mapping try all.json --source Notes.sqlite"),
    Call(.mappingTrial, "mapping try wrong.json --source Notes.sqlite --sample 1", ending: 65),
    Call(.evaluation, "mapping try --source Notes.sqlite --entity Note --expression title"),
    Call(
      .evaluation,
      "mapping try --source Notes.sqlite --entity Note --expression 1/(title.length-1)",
      ending: 65
    ),
    Call(.mappingDifferences, "mapping diff all.json other-mapping.json"),
    Call(.salvage, "salvage Notes.sqlite -o Readable.sqlite"),
    Call(.fixture, "fixture --model v1.mom --rows Note=10 --output made.sqlite"),
    Call(.fleet, fleetPlan),
    Call(.record, "fleet run", after: fleetPlan),
    Call(.fleetRun, "fleet run", after: fleetPlan),
    Call(.fleetStatus, "fleet status", after: fleetPlan, "fleet run -q"),
    Call(.fleetReport, "fleet report", after: fleetPlan),
    Call(.fleetReport, "fleet report", after: fleetPlan, "fleet run -q"),
    Call(.written, "fleet report --page fleet.html", after: fleetPlan, "fleet run -q"),
    Call(.written, "fleet retry -o rest.jsonl", after: fleetPlan),
    Call(.written, "fleet retry -o rest.jsonl", after: fleetPlan, "fleet run -q"),
  ]

  /// A folder with everything that the calls name.
  private static func folder() throws -> FleetFolder {
    let folder = try FleetFolder(stores: 2)
    let program = folder.program
    for name in ["v1.mom", "v2.mom"] {
      try FileManager.default.copyItem(
        atPath: program.directory.path("models/\(name)"),
        toPath: program.directory.path(name)
      )
    }
    try program.writeStrict()
    try program.writeStrict(title: "uppercase:($source.title)", to: "other-mapping.json")
    try program.writeStrict(title: "$source.name", to: "wrong.json")
    return folder
  }

  @Test(arguments: calls)
  func `what a command prints is as its schema says`(call: Call) throws {
    let program = try Self.folder().program
    for line in call.before {
      if line == "CORRECT" {
        try program.correct(title: "c")
      } else {
        _ = try program(line.words)
      }
    }
    let run = try program(call.words + ["--json"])
    #expect(run.status == call.status, "\(run.errors)")
    let schema = try JSONSchema(of: String(call.format.kind))
    var documents = [run.output]
    let isFleet = call.words.starts(with: ["fleet", "run"])
    if isFleet || call.format == .rejectedObject || ["run", "resume"].contains(call.words[0]) {
      documents = run.output.split(separator: "\n").map(String.init)
    }
    // The result follows the events.
    if isFleet {
      documents = call.format == .fleetRun ? documents.suffix(1) : documents.dropLast()
    }
    #expect(!documents.isEmpty)
    for document in documents {
      #expect(schema.faults(of: Data(document.utf8)) == [], "\(document)")
    }
    // An error is a document as well, unless nothing failed but the check.
    if let error = run.errors.split(separator: "\n").first(where: { $0.hasPrefix("{") }) {
      #expect(try JSONSchema(of: "error").faults(of: Data(error.utf8)) == [])
    }
  }

  @Test func `every command that prints documents is called here, and every format is met`() {
    // These were asked of a running migration and of a running fleet (ControlCommandTests).
    let running = ["control"]
    let called = Self.calls.map(\.testDescription)
    for command in CommandLineTool.table.descriptions where !command.results.isEmpty {
      guard !running.contains(command.name) else { continue }
      for format in command.results {
        #expect(
          Self.calls.contains {
            $0.format == format && $0.testDescription.hasPrefix(command.name)
          },
          "\(command.name) prints \(format.rawValue)"
        )
      }
      #expect(called.contains { $0.hasPrefix(command.name) })
    }
  }
}
