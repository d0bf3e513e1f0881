/// What is done when the disk is full.
public enum DiskFullAction: String, CaseIterable, Hashable, Sendable {
  /// The migration ends and can be resumed.
  case stop
  /// It waits until there is free space again.
  case wait
}
