extension EntityMapping.Kind {
  /// The name in mapping files.
  public var name: String {
    switch self {
    case .custom: "custom"
    case .add: "add"
    case .remove: "remove"
    case .copy: "copy"
    case .transform: "transform"
    }
  }

  /// The kind with a name in a mapping file.
  init?(name: String) {
    guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = kind
  }
}
