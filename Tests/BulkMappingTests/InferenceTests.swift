import BulkTestSupport
import Testing

/// Two versions of a model, and the mapping that is inferred between them.
struct InferenceCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let source: [EntityDescription]
  let destination: [EntityDescription]
  /// The entity mappings, each with its properties.
  let expected: [String]

  init(
    _ rule: String,
    _ source: EntityDescription...,
    to destination: EntityDescription...,
    expected: String...
  ) {
    testDescription = rule
    self.source = source
    self.destination = destination
    self.expected = expected
  }

  private static let title = EntityDescription("Note", [.optional("title")])
  private static let animal = EntityDescription("Animal", [.optional("name")])
  private static let cat = EntityDescription("Cat", under: "Animal")
  private static let dog = EntityDescription("Dog", under: "Animal")

  private static func car(_ attributes: AttributeDescription...) -> EntityDescription {
    EntityDescription("Car", attributes)
  }

  /// The rules are those of Core Data's documentation of lightweight migration; the names of entity mappings are those that
  /// several independent projects reproduce.
  static let entities: [InferenceCase] = [
    // formats/migration.md 2.3
    InferenceCase("what stays as it is is copied", title, to: title, expected: "copy Note: title"),
    // formats/migration.md 7.4: the version hash of an entity holds the elements of a composite, not its name.
    InferenceCase(
      "a renamed composite of an entity with the same version hash keeps its elements",
      .init("Note", [.composite("home", [.optional("city")])]),
      to: .init("Note", [.composite("house", id: "home", [.optional("city")])]),
      expected: "copy Note: house.city = home.city"
    ),
    InferenceCase(
      "what is new is added",
      title,
      to: title,
      .init("Attachment", [.required("name")]),
      expected: "add Attachment",
      "copy Note: title"
    ),
    InferenceCase(
      "what is gone is removed, after all others",
      title,
      .init("Attachment"),
      .init("Zebra"),
      to: title,
      expected: "copy Note: title",
      "remove Attachment",
      "remove Zebra"
    ),
    // formats/migration.md 2.2
    InferenceCase(
      "entity mappings stand in the code-unit order of their destinations",
      .init("b"),
      .init("Z"),
      .init("A"),
      to: .init("b"),
      .init("Z"),
      .init("A"),
      expected: "copy A",
      "copy Z",
      "copy b"
    ),
    InferenceCase(
      "an entity gets a new parent",
      .init("Cat", [.optional("name")]),
      to: animal,
      cat,
      expected: "add Animal",
      "transform Cat: name"
    ),
    InferenceCase(
      "an entity is put between two others",
      animal,
      cat,
      to: animal,
      .init("Feline", under: "Animal"),
      .init("Cat", under: "Feline"),
      expected: "copy Animal: name",
      "transform Cat: name",
      "add Feline"
    ),
    InferenceCase(
      "an attribute moves up and is new to the siblings",
      animal,
      .init("Cat", under: "Animal", [.optional("lives", .integer16)]),
      dog,
      to: .init("Animal", [.optional("name"), .optional("lives", .integer16)]),
      cat,
      dog,
      expected: "transform Animal: lives = its default, name",
      "transform Cat: lives, name",
      "transform Dog: lives = its default, name"
    ),
    InferenceCase(
      "an attribute and a relationship move down",
      .init("Animal", [.optional("lives", .integer16)], [.toOne("friend", "Animal")]),
      cat,
      to: .init("Animal"),
      .init("Cat", under: "Animal", [.optional("lives", .integer16)], [.toOne("friend", "Animal")]),
      expected: "transform Animal",
      "transform Cat: lives, friend = objects of friend"
    ),
    InferenceCase(
      "an entity is taken out of its hierarchy",
      animal,
      cat,
      to: animal,
      .init("Cat", [.optional("name")]),
      expected: "copy Animal: name",
      "transform Cat: name"
    ),
    InferenceCase(
      "a parent that is taken away leaves its children alone",
      .init("Animal", isAbstract: true, [.optional("name")]),
      cat,
      dog,
      to: .init("Cat", [.optional("name")]),
      .init("Dog", [.optional("name")]),
      expected: "transform Cat: name",
      "transform Dog: name",
      "remove Animal"
    ),
    InferenceCase(
      "siblings may get another parent of their own hierarchy",
      animal,
      cat,
      .init("Dog", under: "Cat"),
      to: animal,
      .init("Cat", under: "Dog"),
      dog,
      expected: "copy Animal: name",
      "transform Cat: name",
      "transform Dog: name"
    ),
    // formats/migration.md 2.10, 2.11: whether they have values is left to the rows.
    InferenceCase(
      "an attribute without a default value may become required, and be new",
      title,
      to: .init("Note", [.required("title"), .required("text")]),
      .init("Tag", [.required("name")]),
      expected: "transform Note: text = its default, title",
      "add Tag"
    ),
    // formats/migration.md 2.17
    InferenceCase(
      "a relationship may lead elsewhere",
      .init("Tag"),
      .init("Folder"),
      .init("Note", [], [.toOne("owner", "Tag")]),
      to: .init("Tag"),
      .init("Folder"),
      .init("Note", [], [.toOne("owner", "Folder")]),
      expected: "copy Folder",
      "transform Note: owner = objects of owner",
      "copy Tag"
    ),
    InferenceCase(
      "two entities of one identifier that keep their names are the same by name",
      car(),
      .init("Vehicle", id: "Car"),
      to: car(),
      .init("Vehicle", id: "Car", [.optional("name")]),
      expected: "copy Car",
      "transform Vehicle: name = its default"
    ),
  ]

  private static var transient: AttributeDescription {
    var result = AttributeDescription.optional("title")
    result.isTransient = true
    return result
  }

  static let properties: [InferenceCase] = [
    InferenceCase(
      "an attribute that is new gets its default value, and one that is gone is not mentioned",
      .init("Note", [.optional("title"), .optional("gone")]),
      to: .init(
        "Note",
        [.optional("title"), .optional("subtitle"), .required("stars", .integer16, default: 3)]
      ),
      expected: "transform Note: stars = its default, subtitle = its default, title"
    ),
    InferenceCase(
      "a required attribute may become optional",
      .init("Note", [.required("title")]),
      to: title,
      expected: "transform Note: title"
    ),
    InferenceCase(
      "an optional attribute becomes required with the default value for nil",
      title,
      to: .init("Note", [.required("title", default: "untitled")]),
      expected: "transform Note: title = title or its default"
    ),
    InferenceCase(
      "an optional attribute with another default value keeps nil",
      .init("Note", [.optional("title", default: "a"), .optional("other")]),
      to: .init("Note", [.optional("title", default: "b")]),
      expected: "transform Note: title"
    ),
    // formats/migration.md 2.4
    InferenceCase(
      "a transient attribute that becomes persistent is new",
      .init("Note", [transient]),
      to: title,
      expected: "transform Note: title = its default"
    ),
    InferenceCase(
      "a derived attribute is not mapped",
      title,
      to: .init(
        "Note",
        [
          .optional("title"),
          .derived("lower", .string, .predefined(selector: "lowercase:", arguments: [])),
        ]
      ),
      expected: "transform Note: title"
    ),
    InferenceCase(
      "a relationship that stays takes its objects from the source's",
      .init("Note", [], [.toOne("folder", "Folder.notes")]),
      .init("Folder", [], [.toMany("notes", "Note.folder")]),
      to: .init("Note", [], [.toMany("folder", "Folder.notes")]),
      .init("Folder", [], [.toMany("notes", "Note.folder"), .toOne("parent", "Folder")]),
      expected: "transform Folder: notes = objects of notes, parent = its default",
      "transform Note: folder = objects of folder"
    ),
    InferenceCase(
      "an identifier that is dropped again does not lose what keeps its name",
      .init("Automobile", id: "Car", [.optional("paint", id: "colour")]),
      to: .init("Automobile", [.optional("paint"), .optional("wheels", .integer16)]),
      expected: "transform Automobile: paint, wheels = its default"
    ),
    // The version hashes do not hold identifiers, so Core Data finds nothing changed in the entity.
    InferenceCase(
      "what is copied keeps every value, whatever its identifiers say",
      car(.required("paint")),
      to: car(.required("paint", id: "other")),
      expected: "copy Car: paint"
    ),
    InferenceCase(
      "an identifier of its own makes an attribute of the same name a new one",
      car(.optional("age")),
      to: car(.optional("age", .integer16, id: "age in years")),
      expected: "transform Car: age = its default"
    ),
    InferenceCase(
      "two attributes swap their names",
      car(.optional("left"), .optional("right")),
      to: car(.optional("left", id: "right"), .optional("right", id: "left"), .optional("top")),
      expected: "transform Car: left = right, right = left, top = its default"
    ),
    InferenceCase(
      "each version may carry the name of the version before it",
      .init(
        "Automobile",
        id: "Car",
        [.optional("paint", id: "colour")],
        [.toOne("next", "Automobile", id: "following")]
      ),
      to: .init(
        "Vehicle",
        id: "Automobile",
        [.optional("coat", id: "paint")],
        [.toOne("after", "Vehicle", id: "next")]
      ),
      expected: "transform Automobile to Vehicle: coat = paint, after = objects of next"
    ),
  ]
}

struct InferenceTests {
  /// The mapping between two versions, an entity mapping a line.
  private func inferred(
    _ source: [EntityDescription],
    _ destination: [EntityDescription]
  ) throws -> [String] {
    let mapping = try MappingModel.inferred(
      from: ManagedObjectModel(entities: source),
      to: ManagedObjectModel(entities: destination)
    )
    return mapping.entityMappings.map { entity in
      let names = [entity.sourceEntityName, entity.destinationEntityName].compactMap(\.self)
      let kind = "\(entity.kind)"
      let prefix = "IEM_" + kind.prefix(1).uppercased() + kind.dropFirst()
      #expect(entity.name == "\(prefix)_\(names.last ?? "")")
      let properties = (entity.attributeMappings + entity.relationshipMappings).map { property in
        let value = property.valueExpression.map(inWords) ?? "its default"
        return value == property.name ? value : "\(property.name) = \(value)"
      }
      return "\(kind) \(Set(names).count > 1 ? names.joined(separator: " to ") : names.last ?? "")"
        + (properties.isEmpty ? "" : ": " + properties.joined(separator: ", "))
    }
  }

  private func inferred(
    _ source: EntityDescription,
    _ destination: EntityDescription
  ) throws
    -> [String]
  { try inferred([source], [destination]) }

  @Test(arguments: InferenceCase.entities + InferenceCase.properties)
  func `a mapping is inferred`(of given: InferenceCase) throws {
    #expect(try inferred(given.source, given.destination) == given.expected)
  }

  // formats/migration.md 2.2
  @Test(arguments: [nil, "old", "identifier-7"] as [String?])
  func `what is renamed carries its old name, or both versions carry one identifier`(
    sourceIdentifier: String?
  ) throws {
    let identifier = sourceIdentifier ?? "old"
    let source = EntityDescription(
      "Note",
      [.optional("old", id: sourceIdentifier)],
      [.toOne("before", "Note", id: sourceIdentifier.map { "r" + $0 })]
    )
    let destination = EntityDescription(
      "Note",
      [.optional("new", id: identifier)],
      [.toOne("after", "Note", id: sourceIdentifier.map { "r" + $0 } ?? "before")]
    )
    #expect(
      try inferred(source, destination)
        == ["transform Note: new = old, after = objects of before"]
    )
    #expect(
      try inferred(
        EntityDescription("old", id: sourceIdentifier),
        EntityDescription("New", id: identifier)
      ) == ["transform old to New"]
    )
  }

  /// Three versions of one entity and attribute; the identifier is the first version's name.
  private static let versions = [
    EntityDescription("Car", [.optional("colour")]),
    EntityDescription("Automobile", id: "Car", [.optional("paint", id: "colour")]),
    EntityDescription("Vehicle", id: "Car", [.optional("coat", id: "colour")]),
  ]

  @Test(arguments: [
    (0, 1, "transform Car to Automobile: paint = colour"),
    (1, 2, "transform Automobile to Vehicle: coat = paint"),
    (0, 2, "transform Car to Vehicle: coat = colour"),
  ])
  func `a thing that is renamed twice is found from every version to every later one`(
    source: Int,
    destination: Int,
    expected: String
  ) throws {
    #expect(try inferred(Self.versions[source], Self.versions[destination]) == [expected])
  }

  // formats/migration.md 2.6
  @Test(
    arguments: AttributeType.allCases.filter(\.isNumber),
    AttributeType.allCases.filter(\.isNumber)
  )
  func `a number becomes one of another type`(_ old: AttributeType, _ new: AttributeType) throws {
    let found = try inferred(
      EntityDescription("Note", [.optional("value", old)]),
      EntityDescription("Note", [.optional("amount", new, id: "value")])
    )
    #expect(found == ["transform Note: amount = value"])
  }

  // formats/migration.md 2.8
  @Test(arguments: [
    (AttributeType.binaryData, AttributeType.transformable), (.transformable, .binaryData),
  ])
  func `bytes become a transformed object and back where the user info says so`(
    _ old: AttributeType,
    _ new: AttributeType
  ) throws {
    var amount = AttributeDescription.optional("amount", new, id: "value")
    amount.userInfo["NSMigrationAllowTypeTransformation"] = "YES"
    var value = AttributeDescription.optional("value", old)
    let found = try inferred(
      EntityDescription("Note", [value]),
      EntityDescription("Note", [amount])
    )
    #expect(found == ["transform Note: amount = value"])
    if old == .binaryData { value.allowsExternalBinaryDataStorage = true }
    if new == .binaryData { amount.allowsExternalBinaryDataStorage = true }
    let source = EntityDescription("Note", [value])
    #expect(throws: InferenceError.self) {
      try inferred(source, EntityDescription("Note", [amount]))
    }
  }

  // MARK: Refusals

  private static let animals = [
    EntityDescription("Animal"), EntityDescription("Cat", under: "Animal"),
    EntityDescription("Dog", under: "Animal"),
  ]

  @Test(
    arguments: [
      // formats/migration.md 2.7
      (
        [EntityDescription("Note", [.optional("a"), .optional("b", .date)])],
        [EntityDescription("Note", [.optional("c", .date, id: "a"), .optional("b", .double)])],
        ["Note.b: its type changes from Date", "Note.c: it continues a, and its type changes from"]
      ),
      (
        [EntityDescription("Note", [.optional("c", .integer16), .optional("d", .binaryData)])],
        [EntityDescription("Note", [.optional("c"), .optional("d", .transformable)])],
        ["Note.c: its type changes from Integer 16", "Note.d: its type changes from Binary"]
      ),
      (
        [EntityDescription("Note", [.composite("place", [.optional("street")])])],
        [EntityDescription("Note", [.composite("place", [.optional("street", .integer16)])])],
        ["Note.place.street: its type changes from String to Integer 16"]
      ),
      // formats/migration.md 2.18
      (
        [EntityDescription("Cat"), EntityDescription("Dog")], animals,
        ["Animal: hierarchies cannot be merged: Cat, Dog have no common parent in the source"]
      ),
      (
        [EntityDescription("Animal"), EntityDescription("Dog")],
        [EntityDescription("Animal"), EntityDescription("Dog", under: "Animal")],
        ["Animal: hierarchies cannot be merged: Animal, Dog have no common parent in the source"]
      ),
      // A name that is used again beside the thing that had it.
      (
        [EntityDescription("Automobile", id: "Car")],
        [
          EntityDescription("Automobile", [.optional("name")]),
          EntityDescription("Vehicle", id: "Automobile"),
        ], ["Vehicle: another entity of the same model also goes by Automobile"]
      ),
      // formats/migration.md 2.1
      (
        [EntityDescription("Car")],
        [EntityDescription("Car"), EntityDescription("Vehicle", id: "Car")],
        ["Vehicle: another entity of the same model also goes by Car"]
      ),
      (
        [EntityDescription("Car"), EntityDescription("Vehicle", id: "Car")],
        [EntityDescription("Car", [.optional("name")])],
        ["Vehicle: another entity of the same model also goes by Car"]
      ),
      (
        [EntityDescription("Car", [.optional("colour")])],
        [EntityDescription("Car", [.optional("colour"), .optional("paint", id: "colour")])],
        ["Car.paint: another attribute of the same entity also goes by colour"]
      ),
      (
        [
          EntityDescription("Car", [], [.toOne("next", "Car")]),
          EntityDescription("Bus", under: "Car"),
        ],
        [
          EntityDescription("Car", [], [.toOne("next", "Car")]),
          EntityDescription("Bus", under: "Car", [], [.toOne("follower", "Car", id: "next")]),
        ], ["Bus.follower: another relationship of the same entity also goes by next"]
      ),
      (
        [EntityDescription("Zoo"), EntityDescription("Cat"), EntityDescription("Dog")],
        animals + [EntityDescription("Zoo"), EntityDescription("Park", id: "Zoo")],
        [
          "Animal: hierarchies cannot be merged",
          "Park: another entity of the same model also goes",
        ]
      ),
    ] as [([EntityDescription], [EntityDescription], [String])]
  )
  func `what cannot be inferred is refused, all of it at once`(
    source: [EntityDescription],
    destination: [EntityDescription],
    expected: [String]
  ) throws {
    let error = try #require(throws: InferenceError.self) {
      _ = try inferred(source, destination)
    }
    let found = error.refusals.map { refusal in
      [refusal.entity, refusal.property].compactMap(\.self).joined(separator: ".") + ": "
        + refusal.reason
    }
    #expect(found.count == expected.count)
    for (found, expected) in zip(found, expected) { #expect(found.hasPrefix(expected)) }
    #expect(error.description.hasPrefix("no mapping can be inferred between the two models"))
  }
}
