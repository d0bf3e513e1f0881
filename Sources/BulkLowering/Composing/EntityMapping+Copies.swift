internal import BulkMapping

extension EntityMapping {
  /// The attribute of the source that one of the destination takes over as it is.
  func copiedAttribute(for name: String) -> String? {
    if case .copy(let source) = attribute(name) { source } else { nil }
  }

  /// The attribute of the source that one of the destination takes over, with or without a default value
  /// in the place of nil.
  func takenAttribute(for name: String) -> String? {
    switch attribute(name) {
    case .copy(let source), .copyOrDefault(let source): source
    case .defaultValue, .constant, .policy, .expression: nil
    }
  }

  /// The relationship of the source that one of the destination takes over.
  func copiedRelationship(for name: String) -> String? {
    guard case .instances(let path, _) = relationship(name), path.count == 1 else { return nil }
    return path[0]
  }
}
