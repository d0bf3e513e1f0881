/// What is done when the disk is full.
public enum DiskFullAction: String, CaseIterable, Hashable, Sendable {
  /// The migration ends and can be gone on with.
  case stop
  /// It waits until there is room again.
  case wait
}
