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
    if case .binary(let bytes) = try source["image"], let size = ImageSize(ofImage: bytes) {
      try attachment.setValue(.double(Double(size.width)), forKey: "width")
      try attachment.setValue(.double(Double(size.height)), forKey: "height")
    }
    if case .string(let body) = try source["note.body"] {
      try attachment.setValue(.string(Caption.text(of: body)), forKey: "caption")
    } else {
      try attachment.setValue(.string(""), forKey: "caption")
    }
    try manager.insert(attachment, forSource: source, in: mapping)
  }
}
