/// A fetched property of an entity (`NSFetchedPropertyDescription`); nothing of it is stored.
public struct FetchedPropertyDescription: Hashable, Sendable {
  /// The property's name, unique among the properties of its entity.
  public var name: String
  /// Whether it may be empty.
  public var isOptional = false
  /// What it fetches.
  public var fetchRequest: FetchRequestDescription
  /// The identifier by which it is found in another model version; its name where absent.
  public var renamingIdentifier: String?
  /// A text that would change the version hash if fetched properties entered it.
  public var versionHashModifier: String?
  /// The developer's own notes.
  public var userInfo: [String: String] = [:]

  /// A fetched property with its request.
  public init(_ name: String, fetching fetchRequest: FetchRequestDescription) {
    self.name = name
    self.fetchRequest = fetchRequest
  }
}
