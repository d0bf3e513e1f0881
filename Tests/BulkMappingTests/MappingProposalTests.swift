import BulkTestSupport
import Testing

struct MappingProposalTests {
  private func starter(
    _ source: [EntityDescription],
    _ destination: [EntityDescription]
  ) throws -> MappingStarter {
    let models = try ModelPair(
      from: ManagedObjectModel(entities: source),
      to: ManagedObjectModel(entities: destination)
    )
    return MappingStarter(between: models)
  }

  private static let person = EntityDescription("Person", [.optional("name"), .optional("street")])

  @Test func `an entity of the same attributes may have another name`() throws {
    let starter = try starter(
      [Self.person],
      [EntityDescription("Contact", [.optional("name"), .optional("street"), .optional("mail")])]
    )
    #expect(
      starter.proposals.map(\.description)
        == ["Person may be called Contact now: both have name, street"]
    )
    let text = starter.proposedJSON(sourceModel: nil, destinationModel: nil)
    #expect(
      text == #"""
        {
          "bulkmigrate": "mapping/1",
          "infer": "unmentioned",
          "entityMappings": [
            {
              "name": "PersonToContact",
              "type": "transform",
              "source": "Person",
              "destination": "Contact",
              "attributes": {
                "mail": null,
                "name": "$source.name",
                "street": "$source.street"
              }
            }
          ]
        }

        """#
    )
  }

  @Test func `attributes that one entity loses and a new one has are split off`() throws {
    let starter = try starter(
      [
        EntityDescription(
          "Person",
          [.optional("addressStreet"), .optional("city"), .optional("name")]
        )
      ],
      [
        EntityDescription(
          "Address",
          [.optional("city"), .optional("street"), .required("country")],
          [.toOne("person", "Person.address")]
        ),
        EntityDescription("Person", [.optional("name")], [.toOne("address", "Address.person")]),
      ]
    )
    #expect(
      starter.proposals.map(\.description) == [
        "Address may be split off Person: it has addressStreet, city, which Person loses"
      ]
    )
    let text = starter.proposedJSON(sourceModel: nil, destinationModel: nil)
    #expect(text.contains(#""filter": "addressStreet != nil OR city != nil""#))
    #expect(text.contains(#""street": "$source.addressStreet""#))
    #expect(text.contains(#""country": "?""#))
    #expect(text.contains(#""person": { "mapping": "PersonToPerson", "of": "$source" }"#))
  }

  @Test func `an entity that is gone is merged into one that has its attributes`() throws {
    let employee = EntityDescription("Employee", [.optional("name"), .optional("street")])
    let starter = try starter([employee, Self.person], [Self.person])
    #expect(
      starter.proposals.map(\.description)
        == ["Employee may be merged into Person: both have name, street"]
    )
    let text = starter.proposedJSON(sourceModel: nil, destinationModel: nil)
    #expect(text.contains(#""name": "EmployeeToPerson""#))
    #expect(!text.contains("RemoveEmployee"))
    #expect(starter.json(sourceModel: nil, destinationModel: nil).contains("RemoveEmployee"))
  }

  @Test func `what is merged takes values for attributes that are new, too`() throws {
    let people = [
      EntityDescription("Student", [.optional("name")]),
      EntityDescription("Teacher", [.optional("name"), .optional("salary")]),
    ]
    let starter = try starter(
      people,
      [EntityDescription("Student", [.optional("name"), .optional("salary")])]
    )
    #expect(
      starter.proposals.map(\.description) == ["Teacher may be merged into Student: both have name"]
    )
    let text = starter.proposedJSON(sourceModel: nil, destinationModel: nil)
    #expect(text.contains(#""salary": "$source.salary""#))
  }

  @Test(
    arguments: [
      // Fewer than half of the attributes correspond.
      ([.optional("name"), .optional("a"), .optional("b")], [.optional("name"), .optional("c")]),
      // The types differ.
      ([.optional("name")], [.optional("name", .integer16)]),
      // Nothing corresponds.
      ([], []),
    ] as [([AttributeDescription], [AttributeDescription])]
  )
  func `little in common suggests nothing`(
    old: [AttributeDescription],
    new: [AttributeDescription]
  ) throws {
    let starter = try starter([EntityDescription("Old", old)], [EntityDescription("New", new)])
    #expect(starter.proposals.isEmpty)
  }

  @Test func `what inference sees is not proposed`() throws {
    var renamed = Self.person
    (renamed.name, renamed.renamingIdentifier) = ("Contact", "Person")
    #expect(try starter([Self.person], [renamed]).proposals.isEmpty)
  }

  @Test(.enabled(if: SharedData.isPresent, "skips because ../shared is not there"))
  func `the sample application's own split is found`() throws {
    let folder = "uncloudnotes/UnCloudNotesDataModel.xcdatamodeld/UnCloudNotesDataModel "
    let models = try ["v2", "v3"].map {
      try ManagedObjectModel(contentsOf: SharedData.path(folder + $0 + ".xcdatamodel"))
    }
    let starter = MappingStarter(between: ModelPair(from: models[0], to: models[1]))
    #expect(
      starter.proposals.map(\.description)
        == ["Attachment may be split off Note: it has image, which Note loses"]
    )
  }

  @Test
  func `new attributes may be those that are lost, under another name or behind a relationship`()
    throws
  {
    let starter = try starter(
      [
        EntityDescription("Folder", [.optional("label")], [.toMany("notes", "Note.folder")]),
        EntityDescription("Kept", [.optional("place")]),
        EntityDescription(
          "Note",
          [.optional("noteText")],
          [.toOne("folder", "Folder.notes"), .toOne("kept", "Kept")]
        ),
      ],
      [
        EntityDescription("Kept", [.optional("place")]),
        EntityDescription(
          "Note",
          [.optional("text"), .required("label"), .optional("place"), .optional("notes")],
          [.toOne("kept", "Kept")]
        ),
      ]
    )
    #expect(
      starter.proposals.map(\.description)
        == ["Note may take label from folder.label, text from noteText"]
    )
    let text = starter.proposedJSON(sourceModel: nil, destinationModel: nil)
    #expect(text.contains(#""label": "$source.folder.label""#))
    #expect(text.contains(#""text": "$source.noteText""#))
    #expect(text.contains(#""place": null"#))
    #expect(text.ranges(of: #""name": "NoteToNote""#).count == 1)
    #expect(starter.json(sourceModel: nil, destinationModel: nil).contains(#""label": "?""#))
  }

  @Test func `the students' class comes from their relationship, and nothing is merged`() throws {
    let folder =
      URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Plans/students/LearnCoreData.xcdatamodeld/LearnCoreData ").path
    let models = try ["2", "3"].map {
      try ManagedObjectModel(contentsOf: folder + $0 + ".xcdatamodel")
    }
    let starter = MappingStarter(between: ModelPair(from: models[0], to: models[1]))
    #expect(
      starter.proposals.map(\.description) == [
        "Course may take chapterCount from courseChapterCount, id from courseId, name from courseName",
        "Student may take clazzName from clazz.clazzName",
      ]
    )
  }
}
