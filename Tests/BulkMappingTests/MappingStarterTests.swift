import BulkTestSupport
import Testing

struct MappingStarterTests {
  private let notes: MappingNotes

  init() throws { notes = try MappingNotes() }

  @Test func `a starter holds what was inferred, and reads back as it`() throws {
    let starter = MappingStarter(between: notes.models)
    let text = starter.json(sourceModel: "a b.mom", destinationModel: "c.mom")
    #expect(starter.refusals.isEmpty)
    #expect(
      text == #"""
        {
          "bulkmigrate": "mapping/1",
          "source": { "model": "a b.mom" },
          "destination": { "model": "c.mom" },
          "infer": "unmentioned",
          "entityMappings": [
            {
              "name": "Attachment",
              "type": "add",
              "destination": "Attachment"
            },
            {
              "name": "FolderToFolder",
              "type": "copy",
              "source": "Folder",
              "destination": "Folder",
              "attributes": {
                "name": "$source.name"
              },
              "relationships": {
                "notes": "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"notes\", $source.notes)"
              }
            },
            {
              "name": "NoteToNote",
              "type": "transform",
              "source": "Note",
              "destination": "Note",
              "attributes": {
                "body": "$source.body",
                "displayIndex": "$source.displayIndex",
                "headline": "$source.title",
                "stars": null
              },
              "relationships": {
                "attachments": null,
                "folder": "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"folder\", $source.folder)"
              }
            }
          ]
        }

        """#
    )
    #expect(try notes.model(text).entityMappings.count == 3)
  }

  @Test func `a question mark stands where inference refuses, and is asked for`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("A", [.optional("x"), .optional("y")]),
      EntityDescription("Gone")
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("A", [.optional("x", .integer16), .optional("y"), .required("z")])
    )
    let starter = MappingStarter(between: ModelPair(from: source, to: destination))
    let text = starter.json(sourceModel: nil, destinationModel: nil)
    #expect(text.contains("\"x\": \"?\",\n        \"y\": \"$source.y\",\n        \"z\": \"?\""))
    #expect(
      text.contains(
        "\"name\": \"RemoveGone\",\n      \"type\": \"remove\",\n      \"source\": \"Gone\""
      )
    )
    #expect(starter.refusals.map(\.property) == ["x", "z"])
    let file = try notes.read(text)
    let found = failure { try file.mappingModel(between: ModelPair(from: source, to: destination)) }
    #expect(found.split(separator: "\n").count == 2)
    #expect(found.contains(":11:14: entity mapping AToA, attribute x: it still has"))
  }
}
