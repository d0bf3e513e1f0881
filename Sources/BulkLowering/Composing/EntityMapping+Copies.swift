internal import BulkMapping

extension EntityMapping {
  /// The source attribute that a destination attribute copies.
  func copiedAttribute(for name: String) -> String? {
    if case .copy(let source) = attribute(name) { source } else { nil }
  }

  /// The source attribute that a destination attribute copies, with or without a default value in place of
  /// nil.
  func takenAttribute(for name: String) -> String? {
    switch attribute(name) {
    case .copy(let source), .copyOrDefault(let source): source
    case .defaultValue, .constant, .policy, .expression: nil
    }
  }

  /// The source relationship that a destination relationship copies.
  func copiedRelationship(for name: String) -> String? {
    guard case .instances(let path, _) = relationship(name), path.count == 1 else { return nil }
    return path[0]
  }
}
