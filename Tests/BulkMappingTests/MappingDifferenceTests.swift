import BulkTestSupport
import Testing

struct MappingDifferenceTests {
  private let notes: MappingNotes

  init() throws { notes = try MappingNotes() }

  private func differences(_ one: String, _ other: String) throws -> [MappingDifference] {
    let models = try [one, other].map { try notes.model(notes.file($0, infer: "none")) }
    return models[0].differences(to: models[1])
  }

  private static let note = #"{ "source": "Note", "destination": "Note" "#

  @Test func `equal mappings have none, however they are written`() throws {
    let one = Self.note + #", "attributes": { "stars": "2+3" } }"#
    let other = Self.note + #", "name": "NoteToNote", "attributes": { "stars": "2 + 3" } }"#
    #expect(try differences(one, other) == [])
  }

  @Test func `filters, values and values for policies are told one by one`() throws {
    let one = Self.note + #", "attributes": { "stars": 1, "body": "$source.body" } }"#
    let other =
      Self.note
      + #", "filter": "body != nil", "userInfo": { "a": 1 }, "#
      + #""attributes": { "stars": 2, "headline": "$source.title" } }"#
    let found = try differences(one, other)
    #expect(found.allSatisfy { $0.mapping == "NoteToNote" })
    #expect(found.map(\.aspect) == [.filter, .attribute, .attribute, .attribute, .userInfo])
    #expect(found.map(\.name) == [nil, "body", "stars", "headline", "a"])
    #expect(found.map(\.before) == [nil, "$source.body", "1", nil, nil])
    #expect(found.map(\.after) == ["body != nil", nil, "2", "$source.title", "1"])
  }

  @Test func `a mapping more and another order are told`() throws {
    let folder = #"{ "source": "Folder", "destination": "Folder" }"#
    let note = Self.note + "}"
    let added = try differences(note, [note, folder].joined(separator: ","))
    // Without the mapping the entity is removed, as Xcode lists it.
    #expect(added.map(\.mapping) == ["Folder", "FolderToFolder"])
    #expect(added.map(\.before) == ["remove Folder", nil])
    #expect(added.map(\.after) == [nil, "copy Folder to Folder"])
    let moved = try differences(
      [note, folder].joined(separator: ","),
      [folder, note].joined(separator: ",")
    )
    #expect(moved.map(\.aspect) == [.order, .order])
    #expect(moved.map(\.before) == ["1", "2"])
    #expect(moved.map(\.after) == ["2", "1"])
  }
}
