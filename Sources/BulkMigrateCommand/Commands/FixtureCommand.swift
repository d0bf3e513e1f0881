import BulkSupport
import BulkExecute
import BulkFixture
import BulkPlan

extension Arguments {
  func makeFixture(_ context: CommandContext) throws -> ExitCode {
    guard let model = modelFiles.first else { throw UsageError("no model is named; pass --model") }
    guard let path = outputPath else { throw UsageError("no store is named; pass --output") }
    guard !fixture.rows.isEmpty else {
      throw UsageError("no rows are requested; pass --rows ENTITY=N")
    }
    let elapsed = Platform.elapsedTime()
    var maker = try Fixture(try ModelLocator.model(named: model).model, fixture)
    // The pairs of join tables come on top.
    let objects = fixture.rows.values.reduce(0, +)
    return try context.stoppable(warning: "stopped; nothing was written") { stopping, progress in
      maker.isStopped = { stopping.request != nil }
      maker.report = {
        progress.update(TaskProgress(name: "making \(path)", done: $0, total: objects))
      }
      let rows: Int64
      do {
        rows = try maker.write(to: path)
      } catch {
        throw stopping.request == nil ? error : MigrationError.cancelled
      }
      progress.finish()
      return try context.output.show(
        ["objects": objects, "pairs": rows - objects],
        as: .fixture,
        [
          "\(path): \(objects.grouped) objects"
            + (rows > objects
              ? " and \((rows - objects).grouped) pairs of join tables" : "")
            + ", in \(elapsed().short)"
        ]
      )
    }
  }
}

extension Skew: OptionValue {}

extension FixtureError: ErrorWithExitCode {
  var exitCode: ExitCode {
    switch self {
    case .unknown, .abstract: .usage
    case .exists, .cannotWrite: .cannotCreate
    }
  }
}
