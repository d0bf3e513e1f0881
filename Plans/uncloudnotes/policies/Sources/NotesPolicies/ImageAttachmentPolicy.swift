public import BulkMigrate

/// Makes an image attachment of every attachment: with the size of its image, and with the beginning
/// of its note as the caption.
public struct ImageAttachmentPolicy: EntityMigrationPolicy {
  /// The policy; it has no state.
  public init() {}

  /// Makes one image attachment, which keeps the model's default size where the image is none.
  public func createDestinationInstances(
    forSource source: borrowing SourceInstance,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    // What the mapping model says: dateCreated and image.
    var attachment = try manager.evaluate(mapping, forSource: source)
    if case .binary(let bytes) = source["image"], let size = ImageSize(ofImage: bytes) {
      attachment["width"] = .double(Double(size.width))
      attachment["height"] = .double(Double(size.height))
    }
    if case .string(let body) = try source.value(forKeyPath: "note.body") {
      attachment["caption"] = .string(Caption.text(of: body))
    } else {
      attachment["caption"] = .string("")
    }
    try manager.insert(attachment, forSource: source, in: mapping)
  }
}
