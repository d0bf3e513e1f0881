import BulkSupport
import BulkExecute
import BulkPlan

extension Arguments {
  func salvage(_ context: CommandContext) throws -> ExitCode {
    guard let copy = outputPath else { throw UsageError("no copy is named; pass --output") }
    return try context.stoppable(warning: "stopped; nothing was written") { stopping, progress in
      let note = Self.meter(progress)
      let salvaged = try SalvagedStore.write(store, to: copy) {
        note($0, $1)
        return stopping.request != nil
      } allow: {
        progress.finish()
        try refuseLoss($0)
      }
      let copied = "\(copy): what can be read of \(store)"
      return try context.output.show(
        salvaged,
        as: .salvage,
        salvaged.lines.isEmpty
          ? ["\(copied), which is everything"] : ["\(copied); lost:"] + salvaged.lines
      )
    }
  }

  private func refuseLoss(_ salvaged: SalvagedStore) throws(Refusal) {
    guard !lossLimit.allows(salvaged.rows) else { return }
    let lines =
      ["the copy would be without rows of \(store):"] + salvaged.lines
      + ["nothing was written; to allow it, pass --max-loss \(salvaged.rows)"]
    throw Refusal(.badData, lines.joined(separator: "\n"))
  }

  /// Shows how far each stage of a salvage is, by the bytes that the process has read or written since the stage began.
  private static func meter(
    _ progress: TerminalProgress
  ) -> (_ stage: String, _ size: Int64) -> Void {
    let clock = Platform.elapsedTime()
    var (last, next) = ("", Duration.zero)
    var first = (read: Int64(0), written: Int64(0))
    return { stage, size in
      let time = clock()
      // Most calls of the work come too soon to show anything.
      guard stage != last || time >= next else { return }
      let bytes = (read: ProcessUse.bytesRead ?? 0, written: ProcessUse.bytesWritten ?? 0)
      if stage != last { (last, first) = (stage, bytes) }
      let done = max(bytes.read - first.read, bytes.written - first.written)
      next = time + .milliseconds(100)
      progress.update(
        TaskProgress(
          name: stage,
          unit: .bytes,
          done: size > 0 ? min(done, size) : done,
          total: size,
          isUpperBound: true,
          memory: ProcessMemory.resident,
          isLong: true
        )
      )
    }
  }
}
