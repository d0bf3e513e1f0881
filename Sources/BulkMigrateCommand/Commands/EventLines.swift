import BulkCoding
import BulkExecute
import BulkPlan
import BulkPlatform

/// A file to which events of a format are added, a line of JSON each, or standard output for `-`.
///
/// A file that can no longer be written is abandoned with a warning: the migration matters more.
final class EventLines {
  private let path: String
  /// The open file; `nil` until the first event.
  private var descriptor: Int32?
  private let output: Output
  private let format: String
  private var isGivenUp = false

  /// - Throws: ``MigrationError/cannotCreate(path:reason:)`` if the file cannot be made or has anything else in
  ///   it, and ``UsageError`` if two results would share standard output.
  init(_ path: String, _ output: Output, as format: String) throws {
    (self.path, self.output, self.format) = (path, output, format)
    if path == "-" {
      guard !output.isJSON else {
        throw UsageError("--events - and --json both write to standard output")
      }
      descriptor = 1
    } else {
      try file.refuse()
    }
  }

  deinit {
    if path != "-", let descriptor { close(descriptor) }
  }

  /// The file, in which each line is an object.
  private var file: OwnFile { OwnFile(path: path, beginning: "{\"", kind: "list of events") }

  /// Opens the file for the events of a plan; whoever may read its source may read it.
  ///
  /// - Throws: ``MigrationError/cannotCreate(path:reason:)`` if the file is a store of the plan, or cannot be made.
  func begin(_ plan: MigrationPlan) throws(MigrationError) {
    // If it is refused, nothing is written to it at the end either.
    isGivenUp = true
    if path != "-" { try file.refuse(besides: plan) }
    if descriptor == nil {
      descriptor = try MigrationError.writing(
        try OutputFile(path).openToAdd(ofStore: plan.source.store)
      )
    }
    isGivenUp = false
  }

  /// Adds an event; after a failure, which is a warning, no more of them.
  func write(_ kind: Event.Kind, _ fill: (inout Event) -> Void) {
    var event = Event(bulkmigrate: format, event: kind)
    fill(&event)
    if !isGivenUp, descriptor == nil { descriptor = try? OutputFile(path).openToAdd() }
    guard !isGivenUp, let line = try? StableJSON.line(event), let descriptor else { return }
    do {
      try Platform.write(Array((line + "\n").utf8), to: descriptor)
    } catch {
      isGivenUp = true
      if case .readerGone = error { return }
      output.warning("no more events are written to \(path): \(error)")
    }
  }
}
