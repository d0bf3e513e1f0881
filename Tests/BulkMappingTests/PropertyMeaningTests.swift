import BulkTestSupport
import Testing

struct PropertyMeaningTests {
  @Test(
    arguments: [
      (nil, .defaultValue),
      ("$source.name", .copy("name")),
      ("$source.folder.name", .copy("folder.name")),
      ("NULL", .constant(.null)),
      ("7", .constant(.integer(7))),
      (
        "FUNCTION($entityPolicy, \"_nonNilValueOrDefaultValueForAttribute:source:destination:\", "
          + "\"name\", $source, $destination)",
        .copyOrDefault("name")
      ),
      (
        "FUNCTION($entityPolicy, \"fullName:\", $source.name)",
        .policy(selector: "fullName:", arguments: [InferredValue.copy("name")])
      ),
    ] as [(String?, AttributeMeaning)]
  )
  func `of an attribute`(text: String?, meaning: AttributeMeaning) throws {
    var mapping = EntityMapping("NoteToNote", .custom, from: "Note", to: "Note")
    mapping.attributeMappings = [
      PropertyMapping("title", try text.map { try ValueExpression(format: $0) })
    ]
    #expect(mapping.attribute("title") == meaning)
    #expect(mapping.attribute("other") == .defaultValue)
  }

  @Test(
    arguments: [
      ("$entityMapping.name", .string("NoteToMemo")), ("$entityMapping.mappingType", 5),
      ("$entityMapping.sourceEntityName", "Note"), ("$entityMapping.destinationEntityName", "Memo"),
      ("$entityMapping.entityMigrationPolicyClassName", .null),
      ("$entityMapping.userInfo.factor", 7), ("$entityMapping.userInfo.none", .null),
      ("$propertyMapping.name", "title"), ("$propertyMapping.userInfo.unit", "m"),
    ] as [(String, AttributeValue)]
  )
  func `a mapping knows its own names and user info`(text: String, value: AttributeValue) throws {
    var mapping = EntityMapping("NoteToMemo", .transform, from: "Note", to: "Memo")
    mapping.userInfo = ["factor": 7]
    var property = PropertyMapping("title", try ValueExpression(format: text))
    property.userInfo = ["unit": "m"]
    mapping.attributeMappings = [property]
    #expect(mapping.attribute("title") == .constant(value))
    mapping.attributeMappings[0].valueExpression = try ValueExpression(
      format: "TERNARY($source.a == \(text), {\(text)}[0], FUNCTION(\(text), \"description\"))"
    )
    let constant = ValueExpression.constant(value)
    let bound = ValueExpression.ternary(
      .comparison(.init(InferredValue.copy("a"), .equalTo, constant)),
      then: .predefined(
        selector: "objectFrom:withIndex:",
        arguments: [.aggregate([constant]), .constant(.integer(0))]
      ),
      otherwise: .function(target: constant, selector: "description", arguments: [])
    )
    #expect(mapping.attribute("title") == .expression(bound))
  }

  /// Two of the real mappings pass `$manager` to a policy's function.
  @Test func `a policy gets nil for the objects of the migration`() throws {
    let text = "FUNCTION($entityPolicy, \"a:manager:to:\", $source.name, $manager, $destination)"
    let expected = AttributeMeaning.policy(
      selector: "a:manager:to:",
      arguments: [InferredValue.copy("name"), .constant(.null), .constant(.null)]
    )
    #expect(AttributeMeaning(try ValueExpression(format: text)) == expected)
  }

  @Test func `a computation stays an expression`() throws {
    let expression = try ValueExpression(format: "$source.price * 2")
    #expect(AttributeMeaning(expression) == .expression(expression))
  }

  @Test func `of a relationship`() {
    var mapping = EntityMapping("NoteToNote", .custom, from: "Note", to: "Note")
    mapping.relationshipMappings = [
      PropertyMapping("folder", InferredValue.relationship("parent")),
      PropertyMapping("author", .constant(.null)),
      PropertyMapping("tags", nil),
    ]
    #expect(mapping.relationship("folder") == .instances(path: ["parent"], of: nil))
    #expect(mapping.relationship("folder")?.continuedRelationship == "parent")
    #expect(mapping.relationship("author") == .nothing)
    #expect(mapping.relationship("author")?.continuedRelationship == nil)
    #expect(mapping.relationship("tags") == nil)
    #expect(mapping.relationship("other") == nil)
  }

  // What is followed counts, not the name beside it: these objects are made of the object itself.
  @Test func `a name without a path continues no relationship`() throws {
    let expression = try ValueExpression(
      format: "FUNCTION($manager, "
        + "\"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"folder\", $source)"
    )
    #expect(RelationshipMeaning(expression) == .instances(path: [], of: nil))
    #expect(RelationshipMeaning(expression).continuedRelationship == nil)
  }

  @Test func `objects of a named mapping, or at the end of a longer path, are not one continued`() {
    #expect(
      RelationshipMeaning.instances(path: ["parent"], of: "FolderToFolder").continuedRelationship
        == nil
    )
    #expect(RelationshipMeaning.instances(path: ["a", "b"], of: nil).continuedRelationship == nil)
  }

  // formats/migration.md 8.13
  @Test func `nil sources have no objects, and no name stands for all entity mappings`() throws {
    func meaning(_ arguments: String) throws -> RelationshipMeaning {
      RelationshipMeaning(
        try ValueExpression(
          format: "FUNCTION($manager, "
            + "\"destinationInstancesForEntityMappingNamed:sourceInstances:\", \(arguments))"
        )
      )
    }
    #expect(try meaning("\"TagToTag\", NIL") == .nothing)
    #expect(try meaning("NIL, $source.tags") == .instances(path: ["tags"], of: nil))
  }

  // formats/migration.md 8.14
  @Test func `objects of a relationship are not asked for without its name`() throws {
    let expression = try ValueExpression(
      format: "FUNCTION($manager, "
        + "\"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", NIL, $source.tags)"
    )
    #expect(
      RelationshipMeaning(expression)
        == .unsupported(
          "destinationInstancesForSourceRelationshipNamed:sourceInstances: takes a name and source objects"
        )
    )
  }
}
