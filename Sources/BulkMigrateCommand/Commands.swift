import BulkExecute
import BulkPlan

extension CommandLineTool {
  /// The commands in the order of their use; the ``Manual`` names their operands and options.
  static let table = CommandTable(
    text: Manual.program[Manual.name],
    commands: [
      Command("inspect", [.storeReport, .modelReport, .mappingReport], Arguments.inspect),
      Command("check", [.check], Arguments.check),
      Command(group: "mapping"),
      Command("mapping init", [.mapping, .written], Arguments.beginMapping),
      Command("mapping check", [.mappingFindings], Arguments.checkMapping),
      Command("mapping try", [.mappingTrial, .evaluation], Arguments.tryMapping),
      Command("mapping convert", [.mapping, .written], Arguments.convertMapping),
      Command("mapping diff", [.mappingDifferences], Arguments.compareMappings),
      Command("preflight", [.preflight], Arguments.preflight) {
        ($0.maxMemory, $0.dependants) = (Arguments.usualMemory, .nullify)
      },
      Command("plan", [.plan, .planDifferences, .record], Arguments.plan) {
        $0.outputPath = Arguments.usualPlanPath
      },
      Command("run", [.record], Arguments.migrate),
      Command("resume", [.record], Arguments.migrate) { $0.verb = .resume },
      Command("status", [.record], Arguments.status),
      Command("control", [.controlReport], Arguments.control),
      Command("verify", [.verification], Arguments.verify) {
        $0.maxMemory = Arguments.usualMemory
      },
      Command("rejects", [.rejects, .rejectedObject, .record], Arguments.rejects) {
        $0.maxMemory = Arguments.usualMemory
      },
      Command("report", [.written], Arguments.report) {
        $0.outputPath = "bulkmigrate.report.html"
      },
      Command("migrate", [.record], Arguments.migrate) { $0.verb = .migrate },
      Command("rollback", [.record], Arguments.rollBack),
      Command("salvage", [.salvage], Arguments.salvage) { $0.maxLoss = .usual },
      Command(group: "fleet"),
      Command("fleet plan", [.fleet], Arguments.planFleet) { $0.outputPath = FleetWork().path },
      Command("fleet run", [.record, .fleetRun], Arguments.runFleet),
      Command("fleet status", [.fleetStatus], Arguments.showFleet),
      Command("fleet report", [.fleetReport, .written], Arguments.reportFleet),
      Command("fleet retry", [.written], Arguments.retryFleet),
      Command("fleet work", [], Arguments.workOnFleet),
      Command("fixture", [.fixture], Arguments.makeFixture),
      Command("completion", [], Arguments.complete),
    ],
    version: ToolVersion.report
  )
}
