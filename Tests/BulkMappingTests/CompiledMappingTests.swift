import BulkTestSupport
import Testing

/// The keys of the archive: formats/mapping-models.md 6.
struct CompiledMappingTests {
  private let notes: MappingNotes

  init() throws { notes = try MappingNotes() }

  private func read(_ bytes: [UInt8]) throws -> MappingFile {
    try Files.write(bytes, to: notes.folder.path("M.cdm"))
    return try MappingFile.read(notes.folder.path("M.cdm"))
  }

  private func faults(_ bytes: [UInt8]) throws -> [String] {
    let file = try read(bytes)
    do {
      _ = try file.mappingModel(between: notes.models)
      return []
    } catch {
      return error.description.replacing(notes.folder.path(""), with: "")
        .split(separator: "\n").map(String.init)
    }
  }

  /// An archive of one entity mapping of notes, made by somebody.
  private func archive(
    type: Int64 = 5,
    _ body: (inout KeyedArchiveWriter) throws -> [String: PropertyList] = { _ in [:] }
  ) rethrows -> [UInt8] {
    var archive = KeyedArchiveWriter()
    let note = archive.add("Note" as String?)
    var entries: [String: PropertyList] = [
      "NSMappingName": archive.add("N" as String?), "NSMappingType": .integer(type),
      "NSSourceEntityName": note, "NSDestinationEntityName": note,
    ]
    entries.merge(try body(&archive)) { _, second in second }
    let mapping = archive.add(class: .init("NSEntityMapping"), entries)
    let root = archive.add(
      class: .init("NSMappingModel"),
      ["NSEntityMappings": archive.add([mapping])]
    )
    return BinaryPropertyListWriter.write(archive.finish(root: root))
  }

  private func property(
    _ name: String,
    _ value: PropertyList,
    _ archive: inout KeyedArchiveWriter
  ) -> PropertyList {
    let name = archive.add(name as String?)
    return archive.add(
      class: .init("NSPropertyMapping"),
      ["NSDestinationPropertyName": name, "NSValueExpression": value]
    )
  }

  @Test func `an entity mapping is read with its fetch and its values`() throws {
    let bytes = archive { archive in
      let value = archive.add(ValueExpression.keyPath("title", of: .variable("source")))
      let attributes = [
        property("headline", value, &archive),
        property("body", KeyedArchiveWriter.null, &archive),
      ]
      let fetch = ValueExpression.fetch(
        request: .function(
          target: .variable("manager"),
          selector: "fetchRequestForSourceEntityNamed:predicateString:",
          arguments: [.constant(.string("Note")), .constant(.string("displayIndex > 3"))]
        ),
        context: .keyPath("sourceContext", of: .variable("manager")),
        countOnly: false
      )
      return [
        "NSAttributeMappings": archive.add(attributes), "NSSourceExpression": archive.add(fetch),
        "NSUserInfo": archive.add(entries: [
          (key: "k", value: archive.add(PropertyList.integer(3))),
          (key: "l", value: archive.add([])),
        ]),
      ]
    }
    let file = try read(bytes)
    let (model, warnings) = try file.mappingModel(between: notes.models)
    #expect(
      lines(model) == [
        "N transform Note -> Note", "  body = its default", "  headline = title",
        "Folder remove Folder -> nothing",
      ]
    )
    #expect(model.entityMappings[0].filter?.description == "displayIndex > 3")
    #expect(model.entityMappings[0].userInfo == ["k": .integer(3)])
    #expect(warnings == ["entity mapping N: the entry l of its user info is ignored"])
  }

  @Test func `an entity mapping without source and destination is ignored with a warning`() throws {
    let bytes = archive(type: 0) { archive in
      [
        "NSSourceEntityName": KeyedArchiveWriter.null,
        "NSDestinationEntityName": archive.add("" as String?),
        "NSAttributeMappings": archive.add([property("body", KeyedArchiveWriter.null, &archive)]),
      ]
    }
    let (model, warnings) = try read(bytes)
      .mappingModel(between: notes.models)
    #expect(
      lines(model) == ["Folder remove Folder -> nothing", "Note remove Note -> nothing"]
    )
    #expect(
      warnings == [
        "entity mapping N: it names neither a source nor a destination, so it is ignored"
      ]
    )
  }

  @Test func `another version of an entity is refused`() throws {
    let bytes = archive { archive in
      ["NSSourceEntityVersionHash": archive.add(.data([UInt8](repeating: 7, count: 32)))]
    }
    #expect(
      try faults(bytes) == [
        "M.cdm: entity mapping N: it was compiled for another version of the source entity Note than "
          + "the source model has; compile it again, or name the model that it was compiled with"
      ]
    )
  }

  @Test func `the version hashes of the models are accepted`() throws {
    let hashes = (
      notes.source.entityVersionHashesByName["Note"]?.bytes,
      notes.destination.entityVersionHashesByName["Note"]?.bytes
    )
    let bytes = archive { archive in
      [
        "NSSourceEntityVersionHash": archive.add(.data(hashes.0 ?? [])),
        "NSDestinationEntityVersionHash": archive.add(.data(hashes.1 ?? [])),
      ]
    }
    #expect(try faults(bytes) == [])
  }

  @Test(arguments: [[], Array("hello".utf8)] as [[UInt8]])
  func `bytes that are not an archive are refused`(bytes: [UInt8]) throws {
    let reason = "not a property list: it is neither binary nor XML"
    #expect(try faults(bytes) == ["M.cdm: it is not a compiled mapping model: \(reason)"])
  }

  @Test func `an archive of something else is refused`() throws {
    var archive = KeyedArchiveWriter()
    let root = archive.add(class: .init("NSManagedObjectModel"), [:])
    #expect(
      try faults(BinaryPropertyListWriter.write(archive.finish(root: root))) == [
        "M.cdm: its archive holds a NSManagedObjectModel, not an NSMappingModel"
      ]
    )
  }

  @Test func `an unknown type and a fetch of another kind are told at once`() throws {
    let bytes = archive(type: 9) { archive in
      ["NSSourceExpression": archive.add(ValueExpression.variable("source"))]
    }
    #expect(
      try faults(bytes) == [
        "M.cdm: entity mapping N: its type 9 is unknown",
        "M.cdm: entity mapping N: it reads its objects by $source, which is not a plain fetch",
      ]
    )
  }

  /// A list of a few bytes an entry that names one object again and again.
  @Test func `a list that repeats one property is read up to a limit`() throws {
    let bytes = archive { archive in
      let one = property("body", KeyedArchiveWriter.null, &archive)
      return ["NSAttributeMappings": archive.add([PropertyList](repeating: one, count: 100_001))]
    }
    #expect(
      try faults(bytes) == [
        "M.cdm: it has more than 10000 entity mappings or 100000 property mappings"
      ]
    )
  }

  /// Each of 30 properties uses an expression of nine long texts, all of them in one place.
  @Test func `expressions that share their parts are read up to a limit`() throws {
    let bytes = archive { archive in
      let text = archive.add(
        ValueExpression.aggregate(
          [ValueExpression](
            repeating: .constant(.string(String(repeating: "x", count: 100_000))),
            count: 9
          )
        )
      )
      let list = (0..<30).map { property("p\($0)", text, &archive) }
      return ["NSAttributeMappings": archive.add(list)]
    }
    #expect(
      try faults(bytes).contains {
        $0.hasSuffix("the expressions of the mapping have more than 16777216 bytes")
      }
    )
  }
}
