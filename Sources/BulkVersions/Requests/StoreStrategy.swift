/// How a destination comes about.
public struct StoreStrategy: Codable, Hashable, Sendable {
  /// The kinds of strategies; both give the same content.
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    /// All rows are written into a new file.
    case rebuild
    /// The file is copied, and changed in the copy.
    case copy
  }

  /// The kind.
  public var kind: Kind
  /// Why this one was chosen, in words.
  public var reason: String
  /// Whether the source was checked when it was planned for.
  ///
  /// Nothing keeps a copy of it from being changed then; absent otherwise.
  public var isChecked: Bool?

  package init(_ kind: Kind, because reason: String, isChecked: Bool = false) {
    self.kind = kind
    self.reason = reason
    self.isChecked = isChecked ? true : nil
  }
}
