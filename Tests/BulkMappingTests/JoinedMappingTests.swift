import BulkTestSupport
import Testing

/// Several mapping files that together are one mapping.
struct JoinedMappingTests {
  private let notes: MappingNotes

  init() throws { notes = try MappingNotes() }

  private func write(_ text: String, to name: String) throws -> String {
    let path = notes.folder.path(name)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// Files `a.json`, `b.json` and so on, by their entity mappings.
  private func files(_ contents: String..., infer: String = "none") throws -> [String] {
    try zip(["a.json", "b.json", "c.json"], contents).map { name, mappings in
      try write(notes.file(mappings, infer: infer), to: name)
    }
  }

  private func model(_ paths: [String]) throws -> MappingModel {
    try MappingFile.read(paths).mappingModel(between: notes.models).model
  }

  /// The names of the entity mappings, in their order.
  private func names(_ paths: [String]) throws -> [String] {
    try model(paths).entityMappings.map(\.name)
  }

  /// What is wrong with some files, without their folder.
  private func faults(_ read: () throws -> MappingModel) -> [String] {
    failure(read).replacing(notes.folder.path(""), with: "").split(separator: "\n")
      .map(String.init)
  }

  private static let note = #"{ "source": "Note", "destination": "Note" }"#
  private static let folder = #"{ "source": "Folder", "destination": "Folder" }"#
  private static let attachment = #"{ "source": "Note", "destination": "Attachment" }"#

  @Test func `entity mappings of all files count, in the order given`() throws {
    let paths = try files(Self.note, Self.folder)
    #expect(try names(paths) == ["NoteToNote", "FolderToFolder"])
    #expect(try names(paths.reversed()) == ["FolderToFolder", "NoteToNote"])
  }

  @Test func `a mapping in one file overrides the removal and the addition in another`() throws {
    let paths = try files(
      Self.note + #", { "source": "Folder" }, { "destination": "Attachment" }"#,
      Self.folder + #", { "source": "Note" }"#,
      Self.attachment
    )
    #expect(try names(paths) == ["NoteToNote", "FolderToFolder", "NoteToAttachment"])
  }

  @Test func `what all files remove is removed once`() throws {
    let paths = try files(
      Self.attachment + #", { "source": "Folder" }"#,
      #"{ "source": "Folder" }, { "destination": "Note" }"#
    )
    #expect(try names(paths) == ["NoteToAttachment", "Folder", "Note"])
    #expect(try model(paths).entityMappings.map(\.kind).suffix(2) == [.remove, .add])
  }

  @Test func `what no file mentions is inferred if every file allows it`() throws {
    let allowing = try files(Self.note, Self.attachment, infer: "unmentioned")
    #expect(try names(allowing) == ["NoteToNote", "NoteToAttachment", "FolderToFolder"])
    let refusing = try write(notes.file(Self.attachment, infer: "none"), to: "b.json")
    #expect(try names([allowing[0], refusing]) == ["NoteToNote", "NoteToAttachment", "Folder"])
  }

  @Test func `a relationship finds the objects that another file makes`() throws {
    let paths = try files(
      #"{ "source": "Note", "destination": "Note", "relationships": { "folder": "\#(lookup("FolderToFolder", "$source.folder"))" } }"#,
      #"{ "source": "Folder", "destination": "Folder", "relationships": { "notes": "\#(lookup("NoteToNote", "$source.notes"))" } }"#
    )
    #expect(throws: Never.self) { try model(paths) }
    let alone = faults {
      try MappingFile.read([paths[0]]).executableResolution(between: notes.models).model
    }
    #expect(
      alone == [
        "a.json:2:159: entity mapping NoteToNote, relationship folder: there is no entity mapping "
          + "FolderToFolder"
      ]
    )
  }

  private func lookup(_ mapping: String, _ path: String) -> String {
    #"FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \""#
      + mapping + #"\", "# + path + ")"
  }

  @Test func `equal names in two files are refused, with both places`() throws {
    let paths = try files(
      #"{ "name": "N", "source": "Note", "destination": "Note" }"#,
      #"{ "name": "N", "source": "Folder", "destination": "Folder" }"#
    )
    #expect(
      faults { try model(paths) } == [
        "b.json:2:11: entity mapping N: a.json:2:1, entity mapping N, has an entity mapping of this name "
          + "too; give it another one"
      ]
    )
  }

  @Test func `the same objects of the same rows in two files are refused, with both places`() throws
  {
    let paths = try files(Self.note, "\n" + Self.note)
    #expect(
      faults { try model(paths) } == [
        "b.json:3:1: entity mapping NoteToNote: a.json:2:1, entity mapping NoteToNote, makes objects of "
          + "Note from the same Note too; leave one of them out, or give each a filter"
      ]
    )
  }

  @Test func `two files may divide the rows of an entity by their filters`() throws {
    let paths = try files(
      #"{ "name": "A", "source": "Note", "destination": "Note", "filter": "title > \"m\"" }"#,
      #"{ "name": "B", "source": "Note", "destination": "Note", "filter": "title <= \"m\"" }"#
    )
    #expect(try names(paths) == ["A", "B", "Folder"])
  }

  @Test func `faults of all files are told at once, each with its file`() throws {
    let paths = try files(
      #"{ "source": "Note", "destination": "Nota" }"#,
      #"{ "source": "Folder", "destination": "Folder", "attributes": { "nam": "1" } }"#
    )
    #expect(
      faults { try model(paths) } == [
        "a.json:2:36: entity mapping NoteToNota: the destination model has no entity Nota; did you mean "
          + "Note?",
        "b.json:2:64: entity mapping FolderToFolder, attribute nam: Folder has no such attribute; did you "
          + "mean name?",
      ]
    )
  }

  // MARK: A file that lists others

  private func listing(_ entries: String) throws -> String {
    try write("{ \"bulkmigrate\": \"mapping/1\",\n  \(entries) }", to: "all.json")
  }

  @Test func `a file lists the files that together are the mapping`() throws {
    _ = try files(Self.note, Self.folder)
    let path = try listing(#""mappings": ["b.json", "a.json"]"#)
    #expect(try names([path]) == ["FolderToFolder", "NoteToNote"])
    let inferring = try listing(#""infer": "unmentioned", "mappings": ["a.json"]"#)
    #expect(try names([inferring]) == ["NoteToNote", "Attachment", "FolderToFolder"])
  }

  @Test func `listed files that cannot be read are refused, with line and column`() throws {
    _ = try files(Self.note)
    let path = try listing(#""mappings": ["x.json", "a.json", "y.json", "a.json"]"#)
    #expect(
      faults { try model([path]) } == [
        "all.json:2:16: mappings: x.json cannot be read: the file does not exist",
        "all.json:2:36: mappings: y.json cannot be read: the file does not exist",
        "all.json:2:46: mappings: a.json appears twice",
      ]
    )
  }

  @Test func `a listed file cannot list others`() throws {
    _ = try files(Self.note)
    _ = try write(#"{ "bulkmigrate": "mapping/1", "mappings": ["inner.json"] }"#, to: "inner.json")
    let path = try listing(#""mappings": ["inner.json"]"#)
    #expect(
      faults { try model([path]) } == [
        "inner.json:1:44: mappings: another file lists this one, so it cannot list others; list them there"
      ]
    )
  }

  @Test(arguments: [
    (#""mappings": []"#, ["all.json:2:15: mappings: it is empty, not an array of paths"]),
    (
      #""mappings": "a.json""#,
      ["all.json:2:15: mappings: it is a text, not an array of paths"]
    ),
    (
      #""mappings": ["a.json"], "mapping": "a.cdm""#,
      ["all.json:2:15: mappings: mappings and mapping exclude each other"]
    ),
    (
      #""mappings": ["a.json"], "passes": {}"#,
      ["all.json:2:37: passes: it is an object, not an array of passes"]
    ),
    (
      #""mappings": ["a.json"], "passes": [["Note", 1], []]"#,
      [
        "all.json:2:47: passes: it is a number, not a text",
        "all.json:2:51: passes: it is empty, not an array of source entities",
      ]
    ),
  ])
  func `a list that is none is refused`(entries: String, expected: [String]) throws {
    _ = try files(Self.note)
    let path = try listing(entries)
    #expect(faults { try model([path]) } == expected)
  }

  // MARK: Passes

  @Test func `JSON of the meaning of a file keeps its passes`() throws {
    _ = try files(Self.note, Self.folder)
    let path = try listing(#""mappings": ["a.json", "b.json"], "passes": [["Folder"], ["Note"]]"#)
    let file = try MappingFile.read(path)
    #expect(file.passLists == [["Folder"], ["Note"]])
    let json = try model([path]).json(
      sourceModel: nil,
      destinationModel: nil,
      passes: file.passLists
    )
    let again = try notes.read(json, named: "again.json")
    #expect(again.passLists == file.passLists)
    #expect(try model([notes.folder.path("again.json")]) == model([path]))
  }

  @Test func `unknown and repeated entities of passes are refused at once`() throws {
    _ = try files(Self.note, Self.folder)
    let path = try listing(
      #""mappings": ["a.json", "b.json"], "passes": [["Note"], ["Foldr"], ["Folder", "Note"]]"#
    )
    let found = faults { try model([path]) }
    #expect(
      found == [
        "all.json:2:59: passes: the source model has no entity Foldr; did you mean Folder?",
        "all.json:2:80: passes: entity Note is in a pass already, at all.json:2:49",
      ]
    )
  }

  @Test func `files that name different stores or models are refused, with both files`() throws {
    let paths = try ["a", "b"].map { name in
      try write(
        #"{ "bulkmigrate": "mapping/1", "source": { "store": "\#(name).sqlite" } }"#,
        to: "\(name).json"
      )
    }
    #expect(
      faults { try model(paths) } == [
        "b.json: source.store: it is b.sqlite, but a.json names a.sqlite"
      ]
    )
  }
}
