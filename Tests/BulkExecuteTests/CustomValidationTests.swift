import BulkTestSupport
import Testing

/// Policies validate what keeps to the model's rules: formats/migration.md 8.6.
struct CustomValidationTests {
  /// Fails with the objects made from the first three source objects.
  private struct Telling: EntityMigrationPolicy {
    func performCustomValidation(
      forMapping mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      let objects = try manager.destinationInstances(
        forEntityMappingNamed: mapping.name,
        sourceKeys: [1, 2, 3]
      )
      throw PolicyError("asked about \(objects.map(\.key))")
    }
  }

  /// Takes the folder of the first note away.
  private struct Clearing: EntityMigrationPolicy {
    func performCustomValidation(
      forMapping mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      try manager.setObjects([], for: "folder", of: ObjectID(entityName: "Note", key: 1))
    }
  }

  /// Notes 1 to 3 in a folder; titles are required, as folders are, and some notes have one.
  private static func planned(_ policy: String, _ titles: String?...) throws -> Planned {
    var folder = RelationshipDescription.toOne("folder", "Folder.notes")
    folder.isOptional = false
    func model(_ title: AttributeDescription) throws -> ManagedObjectModel {
      try .of(
        .init("Note", [title], [folder]),
        .init("Folder", [], [.toMany("notes", "Note.folder")])
      )
    }
    var store = TestStore(try model(.optional("title")), TestObject("Folder", 1))
    store.objects += titles.enumerated().map { index, title in
      TestObject(
        "Note",
        Int64(index + 1),
        ["title": title.map { .string($0) } ?? .null],
        links: ["folder": [1]]
      )
    }
    return try Planned(
      store,
      to: model(.required("title")),
      by: [
        .of("Folder", "Folder"),
        .of(
          "Note",
          "Note",
          policy: policy,
          ["title": "$source.title"],
          ["folder": instances("FolderToFolder", "$source.folder")]
        ),
      ]
    )
  }

  private static func failure(of planned: Planned, _ action: RejectPolicy.Action) -> String {
    BulkExecuteTests.failure(
      of: planned,
      policies: ["Telling": Telling(), "Clearing": Clearing()]
    ) { $0.rejects = RejectPolicy(action) }
  }

  @Test func `the model's rules come first, and a policy is not asked about what is left out`()
    throws
  {
    let planned = try Self.planned("Telling", "a", nil, "c")
    let text = Self.failure(of: planned, .stop)
    #expect(text.contains("Note.title: required: broken by 1 object"))
    #expect(!text.contains("asked about"))
    #expect(Self.failure(of: planned, .quarantine).contains("asked about [1, 3]"))
  }

  @Test(arguments: [RejectPolicy.Action.stop, .quarantine])
  func `what a policy changes keeps to the rules, too`(action: RejectPolicy.Action) throws {
    let text = Self.failure(of: try Self.planned("Clearing", "a", "b"), action)
    #expect(text.contains("Note.folder: required: broken by 1 object"), "\(text)")
  }
}
