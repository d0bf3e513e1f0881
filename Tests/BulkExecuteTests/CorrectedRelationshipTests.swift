import BulkTestSupport
import Testing

struct CorrectedRelationshipTests {
  private let planned: Planned
  private let destination: StoreFile

  /// Notes, of which the second is in no folder, as the destination requires.
  init() throws {
    func model(isRequired: Bool) throws -> ManagedObjectModel {
      var folder = RelationshipDescription.toOne("folder", "Folder.notes")
      folder.isOptional = !isRequired
      return try .of(
        .init("Folder", [], [.toMany("notes", "Note.folder")]),
        .init("Note", [], [folder, .toOne("image", "Image.note"), .toOne("list", "List.notes")]),
        .init("Image", [], [.toOne("note", "Note.image")]),
        .init("List", [], [.toMany("notes", "Note.list", isOrdered: true)])
      )
    }
    let store = TestStore(
      try model(isRequired: false),
      TestObject("Folder", 2),
      TestObject("Image", 1),
      TestObject("List", 1),
      TestObject("Note", 1, links: ["folder": [1]]),
      TestObject("Note", 2)
    )
    planned = try Planned(
      store,
      to: model(isRequired: true),
      by: [
        try .of("Folder", "Folder"), try .of("Image", "Image"), try .of("List", "List"),
        try .of(
          "Note",
          "Note",
          [:],
          [
            "folder": instances("FolderToFolder", "$source.folder"),
            "image": instances("ImageToImage", "$source.image"),
            "list": instances("ListToList", "$source.list"),
          ]
        ),
      ]
    )
    var migration = Migration(inTestProcess: planned.plan)
    migration.rejects = RejectPolicy(.quarantine)
    migration.stateDirectory = planned.directory.path("state")
    #expect(try migration.run().rejected == 1)
    destination = planned.made
  }

  private func replay(with relationships: String) throws -> RejectReplay {
    let file = planned.directory.path("state/rejects/Note.jsonl")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains(#""values": {}"#))
    try text.replacingOccurrences(
      of: #""values": {}"#,
      with: #""values": {}, "relationships": \#(relationships)"#
    )
    .write(toFile: file, atomically: true, encoding: .utf8)
    // The folder is found through the link beside the destination.
    return RejectReplay(of: try planned.rejects, .inTestProcess)
  }

  @Test func `a link is made, in the state directory that was named`() throws {
    let replay = try replay(with: #"{"folder": 2}"#)
    #expect(try replay.run().rows == 6)
    #expect(try destination.rows(of: "ZNOTE", "Z_PK", "ZFOLDER") == [[1, 1], [2, 2]])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: planned.directory.path("state")).sorted()
        == [".bulkmigrate", "replayed"]
    )
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: planned.directory.path).sorted() == [
        "all.json", "destination.mom", "destination.sqlite", "destination.sqlite.bulkmigrate",
        "destination~.sqlite", "source.mom", "source.sqlite", "state",
      ]
    )
  }

  @Test(
    arguments: [
      (#"{"folder": 3}"#, "the object to which folder leads is not in the source"),
      (#"{"image": 1}"#, "image cannot be corrected here"),
      (#"{"list": 1}"#, "list cannot be corrected here"),
      (#"{"binder": 1}"#, "Note has no attribute or to-one relationship binder"),
      (#"{"folder": "x"}"#, "folder is neither the key of an object nor null"),
    ] as [(String, String)]
  )
  func `one that cannot be made is refused, and nothing changes`(
    relationships: String,
    reason: String
  ) throws {
    let replay = try replay(with: relationships)
    let before = try planned.directory.bytes()
    let text = failure { try replay.run() }
    #expect(text.contains("Note.jsonl:1: \(reason)"), "\(text)")
    #expect(try planned.directory.bytes() == before)
  }
}
