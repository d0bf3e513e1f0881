import BulkTestSupport
import Testing

/// Every expression of the real mapping models.
@Suite(.enabled(if: SharedData.isPresent, "needs ../shared"))
struct RealExpressionTests {
  /// A file below ../shared/data with the archives that it holds.
  struct Source: Sendable, CustomTestStringConvertible {
    let path: String
    let archives: [[UInt8]]
    var testDescription: String { path }
  }

  static let mappingModels = SharedData.files { $0.lastPathComponent == "xcmapping.xml" }.map {
    let archives = try? MappingModelArchives.read($0) { $0 == "valueexpressiondata" }
    return Source(path: $0, archives: archives ?? [])
  }

  @Test func `there are 39 mapping models with 29 expressions`() {
    #expect(Self.mappingModels.count == 39)
    #expect(Self.mappingModels.flatMap(\.archives).count == 29)
  }

  @Test(arguments: mappingModels)
  func `every expression of a mapping model is read, described and read again`(
    source: Source
  ) throws {
    for archive in source.archives {
      let expression = try ValueExpression(archive: archive)
      #expect(try ValueExpression(format: expression.description) == expression)
      #expect(try ValueExpression(archive: expression.archive()) == expression)
      // The arguments of a function without any are mutable in the only archive that has one.
      guard expression.description != "now()" else { continue }
      #expect(
        try ArchiveObjects(PropertyList(expression.archive()))
          == ArchiveObjects(PropertyList(archive))
      )
    }
  }

  /// Every class of the copies of models, with its superclasses and keys.
  @Test(arguments: RandomSeeds.some(of: mappingModels, every: 4))
  func `a copy of a model has the classes and the keys of Xcode's`(source: Source) throws {
    for archive in try MappingModelArchives.read(source.path, { $0.hasSuffix("modeldata") }) {
      let model = try ManagedObjectModel.model(archive: archive, path: source.path)
      let written = EditorModelWriter.archive(of: model)
      let again = try ManagedObjectModel.model(archive: written, path: source.path)
      #expect(again == model)
      #expect(EditorModelWriter.archive(of: again) == written)
      let real = try ArchiveObjects(PropertyList(archive)).kinds
      #expect(try ArchiveObjects(PropertyList(written)).kinds.subtracting(real) == [])
    }
  }

  /// Read off the archives one by one with another property list reader.
  @Test func `the expressions of the mapping models are these`() throws {
    let expressions = try Self.mappingModels.flatMap(\.archives).map {
      try ValueExpression(archive: $0).description
    }
    let expected = #"""
      "Unknown"
      $source.color
      $source.companyDateFounded
      $source.companyName
      $source.companyProfits
      $source.date
      $source.oldProperty
      $source.weigth
      0
      1
      FUNCTION($entityPolicy, "setDate")
      FUNCTION($entityPolicy, "typeForIsSaved:", $source.big)
      FUNCTION($entityPolicy, "updateWeight:", $source.weigth)
      FUNCTION($entityPolicy, "updateWeightOrigWeight:", $source.weigth)
      FUNCTION($manager, \#
      "destinationInstancesForEntityMappingNamed:sourceInstances:", "ATFileAttachmentToATFileAttachment", $source.fileAttachment)
      FUNCTION($manager, \#
      "destinationInstancesForEntityMappingNamed:sourceInstances:", "ATFileMessageToATMessage", $source.fileMessage)
      FUNCTION($manager, \#
      "destinationInstancesForEntityMappingNamed:sourceInstances:", "PersonToPerson", $source.owner)
      FUNCTION($manager, \#
      "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "cars", $source.cars)
      now()
      """#
    #expect(Set(expressions).sorted().joined(separator: "\n") == expected)
  }

  @Test func `every expression of a compiled mapping model is read, described and read again`()
    throws
  {
    let path = SharedData.path("core-data-plus/V2toV3.cdm")
    let archive = try KeyedArchive([UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
    let mappings = try #require(archive.root?["NSEntityMappings"]?.elements).compactMap { $0 }
    let properties = mappings.flatMap { mapping in
      ["NSAttributeMappings", "NSRelationshipMappings"].flatMap { mapping[$0]?.elements ?? [] }
    }
    let objects =
      mappings.map { $0["NSSourceExpression"] }
      + properties.map { $0?["NSValueExpression"] }
    var descriptions: [String] = []
    for object in objects.compactMap({ $0 }) {
      let expression = try ValueExpression(archived: object)
      #expect(try ValueExpression(format: expression.description) == expression)
      descriptions.append(expression.description)
    }
    #expect(descriptions.count == 25)
    let fetch = #"""
      FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Car", \#
      "TRUEPREDICATE"), $manager.sourceContext, NO)
      """#
    #expect(descriptions.first == fetch)
  }
}
