import BulkTestSupport

/// The example of notes whose pictures become attachments, as models and as files.
struct MappingNotes {
  let folder = TemporaryDirectory()
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  var models: ModelPair { ModelPair(from: source, to: destination) }

  init() throws {
    source = try .of(
      .init(
        "Note",
        [
          .optional("body"), .required("displayIndex", .integer64, default: .integer(0)),
          .optional("image", .transformable), .required("title"),
        ],
        [.toOne("folder", "Folder.notes")]
      ),
      .init("Folder", [.optional("name")], [.toMany("notes", "Note.folder")])
    )
    destination = try .of(
      .init(
        "Note",
        [
          .optional("body"), .required("displayIndex", .integer64, default: .integer(0)),
          .required("headline", id: "title"), .optional("stars", .integer16),
        ],
        [.toOne("folder", "Folder.notes"), .toMany("attachments", "Attachment.note")]
      ),
      .init("Folder", [.optional("name")], [.toMany("notes", "Note.folder")]),
      .init(
        "Attachment",
        [.optional("caption"), .optional("image", .transformable)],
        [.toOne("note", "Note.attachments")]
      )
    )
  }

  /// Writes a file and reads it as a mapping.
  func read(_ text: String, named name: String = "all.json") throws -> MappingFile {
    let url = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: url)
    return try MappingFile.read(url.path)
  }

  /// A mapping file of some entity mappings.
  func file(_ entityMappings: String, infer: String = "unmentioned") -> String {
    """
    { "bulkmigrate": "mapping/1", "infer": "\(infer)", "entityMappings": [
    \(entityMappings)
    ] }
    """
  }

  /// The mapping model of a file.
  func model(_ text: String, named name: String = "all.json") throws -> MappingModel {
    try read(text, named: name).mappingModel(between: models).model
  }

  /// The warnings about a file.
  func warnings(_ text: String, named name: String = "all.json") throws -> [String] {
    try read(text, named: name).executableResolution(between: models).warnings
  }

  /// What is wrong with a file, without its folder.
  func faults(_ text: String, named name: String = "all.json") throws -> [String] {
    do {
      _ = try read(text, named: name).executableResolution(between: models)
      return []
    } catch let error as MappingError {
      return error.description.replacing(folder.path(""), with: "").split(separator: "\n")
        .map(String.init)
    }
  }
}
