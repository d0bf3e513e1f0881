import BulkTestSupport
import Testing

@Suite("Model sources", .serialized) struct SourceModelTests {
  private static let source = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
    userDefinedModelVersionIdentifier="v2" unknown="x">
        <entity name="Item" representedClassName="AppItem" isAbstract="YES" elementID="Thing" \
    versionHashModifier="m" syncable="YES">
            <attribute name="title" optional="YES" attributeType="String" minValueString="1" \
    maxValueString="80" regularExpressionString="[a-z]+" defaultValueString="" indexed="YES"/>
            <attribute name="rank" attributeType="Integer 16" minValueString="0" \
    defaultValueString="3" elementID="position" spotlightIndexingEnabled="YES"/>
            <attribute name="created" attributeType="Date" defaultDateTimeInterval="-3600" \
    minDateTimeInterval="0" defaultValueString="1/1/01"/>
            <attribute name="blob" optional="YES" attributeType="Binary" \
    allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES"/>
            <attribute name="price" attributeType="Decimal" defaultValueString="1.50"/>
            <attribute name="flag" attributeType="Boolean" defaultValueString="YES"/>
            <attribute name="key" attributeType="UUID" \
    defaultValueString="6D4E5B0A-0000-4000-8000-00000000000F"/>
            <attribute name="link" attributeType="URI" defaultValueString="https://example.com"/>
            <attribute name="image" attributeType="Transformable" valueTransformerName="T" \
    customClassName="UIImage"/>
            <attribute name="note" transient="YES"/>
            <attribute name="place" attributeType="Composite" composite="Place"/>
            <attribute name="count" attributeType="Integer 64" derived="YES" \
    derivationExpression="parts.@count"/>
            <relationship name="parts" optional="YES" toMany="YES" ordered="YES" minCount="2" \
    maxCount="9" deletionRule="Cascade" destinationEntity="Part" inverseName="item" \
    inverseEntity="Part"/>
            <fetchIndex name="byTitle" partialIndexPredicate="title != nil">
                <fetchIndexElement property="title" type="Binary" order="descending"/>
                <fetchIndexElement expression="self" expressionType="Object ID" type="RTree"/>
            </fetchIndex>
            <uniquenessConstraints>
                <uniquenessConstraint>
                    <constraint value="title"/><constraint value="rank"/>
                </uniquenessConstraint>
            </uniquenessConstraints>
            <compoundIndexes>
                <compoundIndex><index value="rank"/><index value="created"/></compoundIndex>
            </compoundIndexes>
            <userInfo><entry key="a" value="b"/></userInfo>
        </entity>
        <entity name="Part" parentEntity="Item">
            <relationship name="item" toMany="YES" maxCount="1" deletionRule="No Action" \
    destinationEntity="Item" inverseName="parts" inverseEntity="Item"/>
            <fetchedProperty name="siblings" optional="YES">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="Part" \
    predicateString="rank &gt; 1" fetchLimit="5"/>
            </fetchedProperty>
        </entity>
        <composite name="Place">
            <attribute name="y" attributeType="Double"/><attribute name="x" attributeType="Double"/>
        </composite>
        <fetchRequest name="all" entity="Item" predicateString="title == $title"/>
        <configuration name="Small"><memberEntity name="Part"/></configuration>
        <elements><element name="Item" positionX="1"/></elements>
    </model>
    """

  private static func model(_ text: String) throws -> ManagedObjectModel {
    try model(bytes: Array(text.utf8))
  }

  private static func model(bytes: [UInt8]) throws -> ManagedObjectModel {
    let folder = TemporaryDirectory()
    defer { withExtendedLifetime(folder) {} }
    let path = try folder.folder("M.xcdatamodel") + "/contents"
    try Files.write(bytes, to: path)
    return try ManagedObjectModel(contentsOf: path)
  }

  private static func attribute(_ name: String) throws -> AttributeDescription {
    let entity = try #require(try model(source).entity(named: "Item"))
    return try #require(entity.attributes.first { $0.name == name })
  }

  @Test func `an entity has its settings`() throws {
    let model = try Self.model(Self.source)
    let item = try #require(model.entity(named: "Item"))
    #expect(item.managedObjectClassName == "AppItem")
    #expect(item.isAbstract)
    #expect(item.renamingIdentifier == "Thing")
    #expect(item.versionHashModifier == "m")
    #expect(item.userInfo == ["a": "b"])
    #expect(item.uniquenessConstraints == [["title", "rank"]])
    #expect(item.compoundIndexes == [["rank", "created"]])
    #expect(model.entity(named: "Part")?.superentityName == "Item")
  }

  @Test func `the model has its identifier, configurations and fetch requests`() throws {
    let model = try Self.model(Self.source)
    #expect(model.versionIdentifiers == ["v2"])
    #expect(model.configurations == ["Small": ["Part"]])
    let request = try #require(model.fetchRequestTemplates.first)
    #expect(request.name == "all" && request.entityName == "Item")
    #expect(try request.predicate == ValuePredicate(format: "title == $title"))
  }

  @Test(
    arguments: [
      ("title", AttributeValue.string("")), ("rank", .integer(3)), ("created", .date(-3600)),
      ("price", .decimal(1.5)), ("flag", .boolean(true)),
      ("key", .uuid(UUID(uuidString: "6D4E5B0A-0000-4000-8000-00000000000F") ?? UUID())),
      ("link", .uri("https://example.com")), ("image", nil), ("note", nil),
    ] as [(String, AttributeValue?)]
  )
  func `a default value has the type of its attribute`(name: String, value: AttributeValue?) throws
  {
    #expect(try Self.attribute(name).defaultValue == value)
  }

  @Test(arguments: [
    ("title", ["length >= 1", "length <= 80", "SELF MATCHES \"[a-z]+\""]),
    ("rank", ["SELF >= 0"]), ("created", ["SELF >= CAST(0.0, \"NSDate\")"]), ("flag", []),
  ])
  func `limits become the predicates that Core Data makes of them`(
    name: String,
    predicates: [String]
  ) throws {
    #expect(try Self.attribute(name).validationPredicates.map(\.description) == predicates)
  }

  @Test func `attributes have their settings`() throws {
    let title = try Self.attribute("title")
    #expect(title.isOptional && title.isIndexed && !title.isTransient)
    let rank = try Self.attribute("rank")
    #expect(rank.renamingIdentifier == "position" && rank.isIndexedBySpotlight)
    let blob = try Self.attribute("blob")
    #expect(blob.allowsExternalBinaryDataStorage && blob.preservesValueInHistoryOnDeletion)
    let image = try Self.attribute("image")
    #expect(image.valueTransformerName == "T" && image.attributeValueClassName == "UIImage")
    let note = try Self.attribute("note")
    #expect(note.attributeType == .undefined && note.isTransient)
    let place = try Self.attribute("place")
    #expect(place.compositeName == "Place" && place.elements.map(\.name) == ["y", "x"])
    let count = try Self.attribute("count")
    #expect(count.derivationExpression?.description == "count:(parts)" && count.isReadOnly)
  }

  @Test func `relationships, fetched properties and indexes have their settings`() throws {
    let model = try Self.model(Self.source)
    let parts = try #require(model.entity(named: "Item")?.relationships.first)
    #expect(parts.isToMany && parts.isOrdered && parts.isOptional)
    #expect(parts.minCount == 2 && parts.maxCount == 9 && parts.deleteRule == .cascade)
    #expect(parts.destinationEntityName == "Part" && parts.inverseName == "item")
    let item = try #require(model.entity(named: "Part")?.relationships.first)
    #expect(!item.isToMany && item.maxCount == 1 && item.deleteRule == .noAction)
    let siblings = try #require(model.entity(named: "Part")?.fetchedProperties.first)
    #expect(siblings.isOptional && siblings.fetchRequest.fetchLimit == 5)
    let index = try #require(model.entity(named: "Item")?.indexes.first)
    #expect(
      index.elements == [
        .init(.property("title"), isAscending: false),
        .init(.expression(.evaluatedObject), kind: .rTree),
      ]
    )
    #expect(try index.partialIndexPredicate == ValuePredicate(format: "title != nil"))
  }

  @Test func `a model with every setting is written as an archive and read to an equal one`() throws
  {
    var model = try Self.model(Self.source)
    // An archive has no names of composite types.
    var entities = model.entities
    for index in entities.indices {
      for place in entities[index].attributes.indices {
        entities[index].attributes[place].compositeName = nil
      }
    }
    model = try ManagedObjectModel(
      entities: entities,
      versionIdentifiers: model.versionIdentifiers,
      configurations: model.configurations,
      fetchRequestTemplates: model.fetchRequestTemplates
    )
    let read = try ManagedObjectModel.model(
      archive: CompiledModelWriter.archive(of: model),
      path: "archive"
    )
    #expect(read == model)
  }

  @Test(arguments: [
    ("<model>\n<entity/></model>", "line 2: <entity> lacks the attribute name"),
    (
      "<model><entity name='A'>\n<attribute name='b' attributeType='Text'/></entity></model>",
      "line 2, entity A, attribute b: the type Text is unknown"
    ),
    (
      "<model><entity name='A'><attribute name='b' attributeType='Double' defaultValueString='x'/>"
        + "</entity></model>",
      "line 1, entity A, attribute b: the default value x is not a valid Double"
    ),
    (
      "<model><entity name='A' isAbstract='maybe'/></model>",
      "line 1, entity A: isAbstract is maybe, neither YES nor NO"
    ),
    (
      "<model><entity name='A'><relationship name='r' destinationEntity='A' deletionRule='X'/>"
        + "</entity></model>",
      "line 1, entity A, relationship r: the delete rule X is unknown"
    ),
    (
      "<model><entity name='A'><attribute name='c' attributeType='Composite' composite='C'/>"
        + "</entity><composite name='C'><attribute name='c' attributeType='Composite' "
        + "composite='C'/></composite></model>",
      "line 1, composite C, attribute c: the composite type C holds itself, or too many others"
    ),
    ("<model><entity name='A'>\n", "line 2: the XML ends inside <entity>"),
    (
      "<model><entity name='A' parentEntity='B'/></model>",
      "the model as a whole: entity A inherits from B, which the model does not have"
    ),
    (
      "<model><fetchRequest name='f' entity='A' predicateString='a =='/></model>",
      "line 1, fetchRequest f: predicateString: 1:5: found the end, expected a value"
    ),
  ])
  func `a fault is told with its place`(text: String, fault: String) throws {
    let error = try #require(throws: ModelError.self) { try Self.model(text) }
    let description = "\(error)"
    #expect(description.hasSuffix("M.xcdatamodel/contents: " + fault), "\(description)")
  }

  @Test func `a hostile file gives an error or a model, wherever it is cut`() {
    let bytes = Array(Self.source.utf8)
    for length in stride(from: 0, to: bytes.count - 1, by: 31) {
      #expect(throws: ModelError.self) { try Self.model(bytes: Array(bytes[..<length])) }
    }
  }

  @Test func `a hostile file gives an error or a model, whatever byte is wrong`() {
    let bytes = Array(Self.source.utf8)
    for index in stride(from: 0, to: bytes.count, by: 23) {
      for byte in [0x00, 0x22, 0x3C, 0x39, 0xFF] as [UInt8] {
        var wrong = bytes
        wrong[index] = byte
        let model = try? Self.model(bytes: wrong)
        #expect((model?.entities.count ?? 0) <= 2)
      }
    }
  }
}
