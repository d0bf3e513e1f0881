/// A model and where it was found.
public struct ModelInput: Codable, Hashable, Sendable {
  /// The file that holds it; an absolute path.
  public var path: String
  /// Whether the file is a store that keeps the model.
  public var isInStore: Bool
  /// The other files whose models are merged with this one; absent without any.
  public var mergedWith: [String]?
  /// The configuration that restricts the entities; absent without one.
  public var configuration: String?
  /// Which copy in a mapping of Xcode is used, `source` or `destination`; absent where the role of the model
  /// in the migration decides.
  public var copy: String?
  /// A digest of the model's whole content, in hexadecimal.
  public var digest: String
}
