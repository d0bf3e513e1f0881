import BulkTestSupport
import Testing

/// Expressions that have only names that are known, and yet cannot be evaluated.
struct EvaluationCheckTests {
  private let notes: MappingNotes

  init() throws { notes = try MappingNotes() }

  /// The first finding about a mapping of notes with one entry, and what refuses it as a plan does.
  private func fault(_ entry: String, infer: String = "none") throws -> (String?, String?) {
    let text = notes.file(
      #"{ "source": "Note", "destination": "Note", \#(entry) }"#,
      infer: infer
    )
    let file = try notes.read(text)
    let findings = file.findings(between: notes.models)
    do {
      _ = try file.executableResolution(between: notes.models)
      return (findings.first { $0.severity == .error }?.description, nil)
    } catch {
      guard case .invalid(let faults) = error else { throw error }
      return (
        findings.first { $0.severity == .error }?.description,
        faults.first?.description.replacing("error: ", with: "")
      )
    }
  }

  @Test(arguments: [
    (
      #""attributes": { "headline": "$source.title + 1" }"#,
      "2:87", "headline: add:to: takes numbers, not a string"
    ),
    (
      #""attributes": { "headline": "CAST($source.title, 'NSStrng')" }"#,
      "2:94", "headline: CAST knows no type NSStrng; did you mean NSString?"
    ),
    (
      #""attributes": { "stars": "TERNARY($source.displayIndex < $source.title, 1, 2)" }"#,
      "2:99", "stars: < takes on its other side an integer, not a string"
    ),
    (
      #""attributes": { "stars": "$destination.stars" }"#,
      "2:70",
      "stars: $destination has no value in an expression of a row; repeat "
        + "the expression that gives the destination's value"
    ),
    (
      #""attributes": { "stars": "FUNCTION($source, 'starsOf:', 1)" }"#,
      "2:89", "stars: starsOf: cannot be called"
    ),
    (
      #""attributes": { "stars": "$source.title" }"#,
      "2:70", "stars: attribute stars is Integer 16 and cannot take a string; use CAST"
    ),
    (#""attributes": { "stars": "1 / 0" }"#, "2:70", "stars: divide:by: divides by zero"),
    (#""filter": "displayIndex > title""#, "2:68", "filter: > takes on its other side an integer"),
    (
      #""filter": "title MATCHES '('""#,
      "2:70",
      "filter: ( is not a regular expression: at character 1 ( is never closed"
    ),
    (
      #""filter": "title MATCHES 'a(?w)'""#,
      "2:70",
      "filter: a(?w) cannot be matched: at character 4 there is the flag w, which is not supported"
    ),
    (
      #""relationships": { "folder": "TERNARY(1 == 2, nil, nil)" }"#,
      "2:74",
      "folder: it gives no destination objects; write FUNCTION($manager, "
        + "\"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"<entity mapping>\", "
        + "TERNARY(1 == 2, nil, nil))"
    ),
    (
      #""relationships": { "folder": "FUNCTION($manager, 'instancesFor:', 'F')" }"#, "2:94",
      "folder: the manager knows no instancesFor:; known are "
    ),
    (
      #""relationships": { "folder": "FUNCTION($entityPolicy, 'folderOf:', $source)" }"#,
      "2:99", "folder: folderOf: is sent to a policy, but the mapping has none"
    ),
  ])
  func `what a plan refuses the check tells, with its place`(
    entry: String,
    place: String,
    reason: String
  ) throws {
    let found = try fault(entry)
    #expect(found.0?.hasPrefix("\(place): error: entity mapping NoteToNote, ") == true)
    #expect(found.1?.hasPrefix("\(place): entity mapping NoteToNote, ") == true)
    #expect(found.0?.contains(reason) == true && found.1?.contains(reason) == true, "\(found)")
  }

  @Test func `a value that comes by name is told at the entity mapping`() throws {
    let file = try notes.read(notes.file(#"{ "source": "Note", "destination": "Note" }"#))
    var destination = notes.destination.entities
    let place = try #require(destination.firstIndex { $0.name == "Note" })
    destination[place].attributes = [.optional("body", .integer64)]
    let models = try ModelPair(from: notes.source, to: ManagedObjectModel(entities: destination))
    let findings = file.findings(between: models)
    #expect(
      findings.filter { $0.severity == .error }.map(\.description) == [
        "2:1: error: entity mapping NoteToNote, attribute body: attribute body is Integer 64 and cannot "
          + "take a string; use CAST"
      ]
    )
  }

  @Test func `nothing is asked of objects of an abstract entity`() throws {
    let file = try notes.read(
      notes.file(#"{ "source": "Note", "destination": "Note", "filter": "title > 5" }"#)
    )
    var source = notes.source.entities
    let place = try #require(source.firstIndex { $0.name == "Note" })
    source[place].isAbstract = true
    let models = try ModelPair(from: ManagedObjectModel(entities: source), to: notes.destination)
    let found = try file.executableResolution(between: models)
    #expect(found.model.entityMappings.first?.name == "NoteToNote")
  }

  @Test func `objects of an abstract entity cannot be made`() throws {
    let file = try notes.read(notes.file(#"{ "source": "Note", "destination": "Note" }"#))
    var destination = notes.destination.entities
    let place = try #require(destination.firstIndex { $0.name == "Note" })
    destination[place].isAbstract = true
    let models = try ModelPair(from: notes.source, to: ManagedObjectModel(entities: destination))
    let findings = file.findings(between: models)
    #expect(
      findings.first?.description
        == "2:36: error: entity mapping NoteToNote: entity Note is abstract and can have no objects"
    )
  }
}
