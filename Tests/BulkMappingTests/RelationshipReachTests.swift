import BulkTestSupport
import Testing

/// Relationships that by their mapping alone never hold an object.
@Suite("Relationships that never find an object", .tags(.promise25)) struct RelationshipReachTests {
  private let notes: MappingNotes

  init() throws { notes = try MappingNotes() }

  /// What a check says is wrong with some entity mappings, and what a plan says.
  private func faults(
    _ entries: String...,
    infer: String = "none"
  ) throws -> (
    check: [String], plan: [String]
  ) {
    let file = try notes.read(notes.file(entries.joined(separator: ",\n"), infer: infer))
    let check = file.findings(between: notes.models)
      .filter { $0.severity == .error }.map(\.description)
    do {
      _ = try file.executableResolution(between: notes.models)
      return (check, [])
    } catch {
      guard case .invalid(let faults) = error else { throw error }
      return (check, faults.map { $0.description.replacing("error: ", with: "") })
    }
  }

  private static let folders = #"{ "source": "Folder", "destination": "Folder" }"#

  /// An entity mapping of notes with the value of a relationship.
  private static func notes(_ relationship: String, _ mapping: String, _ path: String) -> String {
    #"{ "source": "Note", "destination": "Note", "attributes": { "headline": "$source.title" }, "#
      + #""relationships": { "\#(relationship)": "FUNCTION($manager, "#
      + "'destinationInstancesForEntityMappingNamed:sourceInstances:', '\(mapping)', \(path))\" } }"
  }

  @Test func `a mapping that reads other objects is refused, with the one that does not`() throws {
    let found = try faults(Self.notes("folder", "NoteToNote", "$source.folder"), Self.folders)
    #expect(
      found.plan == [
        "2:203: entity mapping NoteToNote, relationship folder: it never finds an object: entity mapping "
          + "NoteToNote makes no objects of Folder from those of Folder; FolderToFolder does"
      ]
    )
    #expect(
      found.check == [
        "2:203: error: entity mapping NoteToNote, relationship folder: it never finds an object: entity "
          + "mapping NoteToNote makes no objects of Folder from those of Folder; FolderToFolder does"
      ]
    )
  }

  @Test func `a mapping that makes other objects is refused`() throws {
    #expect(
      try faults(Self.notes("attachments", "NoteToNote", "$source")).plan == [
        "2:208: entity mapping NoteToNote, relationship attachments: it never finds an object: entity "
          + "mapping NoteToNote makes no objects of Attachment from those of Note"
      ]
    )
  }

  @Test func `one that finds its objects is not refused`() throws {
    let found = try faults(Self.notes("folder", "FolderToFolder", "$source.folder"), Self.folders)
    #expect(found.plan == [])
    #expect(found.check == [])
  }

  private static let foldersWithNotes =
    #"{ "source": "Folder", "destination": "Folder", "relationships": { "notes": "FUNCTION($manager, "#
    + "'destinationInstancesForEntityMappingNamed:sourceInstances:', 'NoteToNote', $source.notes)\" } }"

  /// As in UnCloudNotes, where the inverse makes up for a slip.
  @Test func `one that its inverse fills afterwards is not refused`() throws {
    let notes = Self.notes("folder", "NoteToNote", "$source.folder")
    #expect(try faults(notes, Self.foldersWithNotes).plan == [])
    // What is assigned afterwards is nothing, and replaces what was there.
    #expect(try faults(Self.foldersWithNotes, notes).plan.count == 1)
  }

  @Test func `one that follows from what is left out is not refused`() throws {
    let found = try faults(
      #"{ "source": "Folder", "type": "remove" }"#,
      #"{ "source": "Note", "destination": "Note", "relationships": { "folder": {} } }"#,
      infer: "unmentioned"
    )
    #expect(found.plan == [])
  }
}
