/// How far the planning of a fleet is.
package struct FleetPlanningProgress: Hashable, Sendable {
  /// What is done.
  package enum Stage: Hashable, Sendable {
    /// Lines of the manifest are read.
    case manifest
    /// Stores are opened that the manifest does not describe.
    case stores
    /// The list is written.
    case list
  }

  package var stage: Stage
  /// The lines or stores that are done.
  package var done: Int64
  /// All of them, of a manifest by the bytes of its lines so far; 0 where that is not known.
  package var total: Int64

  /// The progress of reading a manifest.
  ///
  /// - Parameters:
  ///   - lines: The lines that were read.
  ///   - bytes: Their bytes.
  ///   - size: The bytes of the manifest; 0 where it is no file.
  init(lines: Int64, bytes: Int64, of size: Int64) {
    (stage, done) = (.manifest, lines)
    total = bytes > 0 ? Int64(Double(lines) * Double(size) / Double(bytes)) : 0
  }

  /// The progress of another stage.
  init(_ stage: Stage, _ done: Int, of total: Int) {
    (self.stage, self.done, self.total) = (stage, Int64(done), Int64(total))
  }
}
