import BulkTestSupport
import Testing

/// Mappings written for Xcode and Core Data.
///
/// Classes and keys: formats/mapping-models.md 2 and 6.
struct XcodeWritingTests {
  private let notes: MappingNotes

  init() throws { notes = try MappingNotes() }

  /// The mapping of a file, written in both forms and read again.
  private func again(_ text: String) throws -> (compiled: MappingModel, source: MappingModel) {
    let file = try notes.read(text)
    let written = try WrittenMapping(file, between: notes.models, in: notes.folder)
    return (written.compiled.model, written.source.model)
  }

  private static func json(_ entries: String, with attributes: String = "") -> String {
    """
    { "bulkmigrate": "mapping/1", "infer": "none", "entityMappings": [
      { "name": "N", "source": "Note", "destination": "Note"\(entries),
        "attributes": { "headline": "$source.title"\(attributes) } } ] }
    """
  }

  @Test func `names, filters, constants and values that keep their defaults read back equal`()
    throws
  {
    let text = Self.json(
      #", "filter": "title != \"<a> & \\\\u3e00\" AND displayIndex > 3", "policy": "App.Ärger""#
        + #", "userInfo": { "a": 1, "b": "\u0007", "c": true }"#,
      with: #", "body": "CAST(60.0, \"NSDate\")", "stars": null"#
    )
    let model = try notes.read(text).mappingModel(between: notes.models).model
    let found = try again(text)
    #expect(found.compiled == model)
    #expect(found.source == model)
  }

  /// Xcode would copy an attribute that is listed without a value.
  @Test func `a value that is nil although the source has the attribute is left out for Xcode`()
    throws
  {
    let found = try again(Self.json("", with: #", "displayIndex": null"#))
    #expect(
      found.compiled.entityMappings[0].attributeMappings.map(\.name) == [
        "displayIndex", "headline",
      ]
    )
    #expect(found.source.entityMappings[0].attributeMappings.map(\.name) == ["headline"])
  }

  @Test func `a constant is archived as one, which no text can say`() throws {
    let file = try notes.read(Self.json("", with: #", "body": "CAST(\"AA==\", \"NSData\")""#))
    let model = try file.mappingModel(between: notes.models, isForCoreData: true).model
    #expect(model.entityMappings[0].attributeMappings[0].valueExpression == .constant(.binary([0])))
  }

  private static let refusals: [(entries: String, attributes: String, fault: String)] = [
    (
      #", "forEach": "FUNCTION($source.title, \"componentsSeparatedByString:\", \",\")""#, "",
      "2:71: entity mapping N, forEach: Core Data makes one object of each source object; "
        + "let a policy make the others"
    ),
    (
      #", "unique": ["headline"]"#, "",
      "2:70: entity mapping N, unique: Core Data makes an object of each source object; "
        + "let a policy find the one that was made before"
    ),
    (
      "", #", "body": { "value": "$source.body", "lookup": { "a": "b" } }"#,
      "3:70: entity mapping N, attribute body: Core Data has no tables; write TERNARY(…), "
        + "or FUNCTION($entityPolicy, …) for a policy"
    ),
    (
      "", #", "body": "CAST(uuid(\"a\"), \"NSString\")""#,
      "3:64: entity mapping N, attribute body: Core Data has no function uuid; "
        + "let a policy compute it: FUNCTION($entityPolicy, …)"
    ),
    (
      "", #", "body": "CAST(CAST(title, \"NSURL\"), \"NSString\")""#,
      "3:78: entity mapping N, attribute body: Core Data casts to NSString, NSNumber, NSDate and "
        + "NSDecimalNumber alone; let a policy convert it"
    ),
    (
      #", "filter": "FUNCTION(title, \"length\") > 3""#, "",
      "2:88: entity mapping N, filter: Core Data filters in SQL, which sends no message length; "
        + "let a policy leave objects out"
    ),
  ]

  @Test(arguments: refusals)
  func `what Core Data cannot do is refused where it is, with what can be done`(
    entries: String,
    attributes: String,
    fault: String
  ) throws {
    let file = try notes.read(Self.json(entries, with: attributes))
    let error = #expect(throws: MappingError.self) {
      try file.mappingModel(between: notes.models, isForCoreData: true)
    }
    #expect(error?.description == notes.folder.path("all.json:") + fault)
  }

  @Test func `a composite attribute is copied as a whole or refused`() throws {
    let place = AttributeDescription.composite("place", [.optional("x"), .optional("y")])
    let model = try ManagedObjectModel.of(EntityDescription("Note", [place]))
    let models = ModelPair(from: model, to: model)
    let file = try notes.read(
      #"{ "bulkmigrate": "mapping/1", "entityMappings": [{ "source": "Note", "destination": "Note" }] }"#
    )
    let whole = try file.mappingModel(between: models).model
    let written = try file.mappingModel(between: models, isForCoreData: true).model
    #expect(written.entityMappings[0].attributeMappings.map(\.name) == ["place"])
    try Files.write(written.xcodeFile(between: models, at: nil), to: notes.folder.path("M.cdm"))
    let again = try MappingFile.read(notes.folder.path("M.cdm")).mappingModel(between: models)
    #expect(again.model == whole)
    let error = #expect(throws: MappingError.self) {
      try written.xcodeFile(between: models, at: ("a", "b"))
    }
    #expect(error?.description.contains("source model, entity Note: Xcode's copy") == true)
    let part = try notes.read(
      #"""
      { "bulkmigrate": "mapping/1", "entityMappings": [
        { "source": "Note", "destination": "Note", "attributes": { "place.x": "\"a\"" } } ] }
      """#
    )
    let fault = #expect(throws: MappingError.self) {
      try part.mappingModel(between: models, isForCoreData: true)
    }
    let subject = "entity mapping NoteToNote, attribute place.x"
    #expect(fault?.description.contains("\(subject): Core Data sets a composite") == true)
  }
}

/// A mapping in the two forms of Xcode, read again.
struct WrittenMapping {
  let compiled: (file: MappingFile, model: MappingModel)
  let source: (file: MappingFile, model: MappingModel)

  init(_ file: MappingFile, between models: ModelPair, in folder: TemporaryDirectory) throws {
    let model = try file.mappingModel(between: models, isForCoreData: true).model
    let paths = ["again.cdm", "again.xcmappingmodel"].map(folder.path)
    try FileManager.default.createDirectory(atPath: paths[1], withIntermediateDirectories: true)
    let files = try zip(paths, [nil, ("Old.xcdatamodel", "New.xcdatamodel")]).map { path, places in
      let written = places == nil ? path : path + "/xcmapping.xml"
      let bytes = try model.xcodeFile(between: models, at: places)
      try Files.write(bytes, to: written)
      let file = try MappingFile.read(path)
      let (again, warnings) = try file.mappingModel(between: models)
      #expect(warnings == [])
      let second = try file.mappingModel(between: models, isForCoreData: true).model
      #expect(try second.xcodeFile(between: models, at: places) == bytes)
      return (file, again)
    }
    (compiled, source) = (files[0], files[1])
  }
}
