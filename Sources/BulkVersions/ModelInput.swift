/// A model and where it was found.
public struct ModelInput: Codable, Hashable, Sendable {
  /// The file that holds it; an absolute path.
  public var path: String
  /// Whether the file is a store that keeps the model of itself.
  public var isInStore: Bool
  /// The other files whose models are merged with this one; absent where it stands alone.
  public var mergedWith: [String]?
  /// The configuration whose entities are meant; absent where all are.
  public var configuration: String?
  /// Which copy of a mapping of Xcode is meant, `source` or `destination`; absent where the place of
  /// the model in the migration tells it.
  public var copy: String?
  /// A digest of everything that the model says, in hexadecimal.
  public var digest: String
}
