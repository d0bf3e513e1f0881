import BulkTestSupport
import Testing

struct SourceInstanceTests {
  /// Asks notes with an even key for more than the others.
  private static let uneven = Making { source, mapping, manager in
    var words = ["\(source.objectID.key)", try text(source["title"])]
    if source.objectID.key.isMultiple(of: 2) {
      words += [
        try text(source["rank"]), try text(source["folder.name"]), try text(source["image"]),
        try text(source["title"]),
      ]
    }
    var note = try manager.evaluate(mapping, forSource: source)
    try note.setValue(.string(words.joined(separator: " ")), forKey: "title")
    try manager.insert(note, forSource: source, in: mapping)
  }

  private static func text(_ value: AttributeValue?) -> String {
    switch value {
    case .string(let text)?: text
    case .integer(let number)?: "\(number)"
    case .binary(let bytes)?: "\(bytes)"
    case .null?, .boolean?, .double?, .decimal?, .date?, .uuid?, .uri?, nil: "-"
    }
  }

  /// Where the keys are moved, the first object is asked for more than the next one.
  @Test(arguments: [0, 1] as [Int64])
  func `each object answers with values of its own, whatever was asked before`(
    moved: Int64
  ) throws {
    let note = EntityDescription(
      "Note",
      [.optional("title"), .optional("rank", .integer32), .optional("image", .binaryData)],
      [.toOne("folder", "Folder.notes")]
    )
    let folder = EntityDescription("Folder", [.optional("name")], [.toMany("notes", "Note.folder")])
    let model = try ManagedObjectModel.of(note, folder)
    let store = TestStore(
      model,
      TestObject("Note", 1 + moved, ["title": "a", "rank": 10], links: ["folder": [7]]),
      TestObject("Note", 2 + moved, ["title": "b", "rank": 20], links: ["folder": [7]]),
      TestObject("Note", 3 + moved, ["rank": 30]),
      TestObject("Note", 4 + moved, ["rank": 40, "image": .binary([1, 2])]),
      TestObject("Note", 6 + moved, ["title": "f"], links: ["folder": [8]]),
      TestObject("Folder", 7, ["name": "home"]),
      TestObject("Folder", 8, ["name": "work"])
    )
    let migrated = try migrate(
      store,
      to: model,
      policies: ["Uneven": Self.uneven],
      by: .of("Note", "Note", policy: "Uneven"),
      .of("Folder", "Folder")
    )
    #expect(
      try migrated.destination.rows(of: "ZNOTE", "ZTITLE")
        == (moved == 0
          ? [["1 a"], ["2 b 20 home - b"], ["3 -"], ["4 - 40 - [1, 2] -"], ["6 f - work - f"]]
          : [["2 a 10 home - a"], ["3 b"], ["4 - 30 - - -"], ["5 -"], ["7 f"]])
    )
  }
}
