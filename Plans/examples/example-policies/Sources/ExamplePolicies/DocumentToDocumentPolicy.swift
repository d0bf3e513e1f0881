public import BulkMigrate

/// Answers `FUNCTION($entityPolicy, "dataFromHexadecimal:", $source.digest)`: what a mapping model
/// cannot say, here that a text of hexadecimal digits becomes bytes.
public struct DocumentToDocumentPolicy: EntityMigrationPolicy {
  /// The policy; it has no state.
  public init() {}

  /// The bytes of a text of hexadecimal digits; nil stays nil.
  ///
  /// - Throws: `PolicyError` if the text is something else, which ends the migration.
  public func value(
    ofFunction selector: String,
    arguments: [AttributeValue],
    manager: MigrationManager
  ) throws -> AttributeValue {
    guard selector == "dataFromHexadecimal:", let argument = arguments.first else {
      throw PolicyError("the policy answers no function \(selector)")
    }
    switch argument {
    case .null: return .null
    case .string(let text):
      guard let bytes = Hexadecimal.bytes(of: text) else {
        throw PolicyError("\"\(text)\" is not hexadecimal")
      }
      return .binary(bytes)
    default: throw PolicyError("what is not a string is not hexadecimal")
    }
  }
}
