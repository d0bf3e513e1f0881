import BulkTestSupport

extension Interrupted {
  /// A migration of two places in a folder to a model that has an attribute more, with what a store computes from its
  /// rows: R-trees and derived attributes (formats/store.md 7.11, 7.12, 9.1).
  convenience init(computing way: [String]) throws {
    var store = TestStore(try .places())
    store.objects = [TestObject("Folder", 1)]
    store.objects += (1...2).map {
      TestObject(
        "Place",
        $0,
        [
          "name": .string("Oslo \($0)"), "latitude": .double(Double($0)),
          "longitude": .double(-1.5),
        ],
        links: ["folder": [1]]
      )
    }
    let values = ["name", "latitude", "longitude"].map { ($0, "$source.\($0)") }
    try self.init(
      store,
      to: .places(.required("weight", .integer16, default: 3)),
      way,
      by: [
        .of("Folder", "Folder"),
        .of(
          "Place",
          "Place",
          Dictionary(uniqueKeysWithValues: values + [("weight", "3")]),
          ["folder": instances("FolderToFolder", "$source.folder")]
        ),
      ],
      batchRows: 1
    )
  }

  /// A migration of things that lead to one another, made by two mappings into one table.
  convenience init(leading count: Int64) throws {
    let model = try ManagedObjectModel.of(
      EntityDescription(
        "Thing",
        [.optional("amount", .integer64)],
        [.toOne("next", "Thing.former"), .toMany("former", "Thing.next")]
      )
    )
    var store = TestStore(model)
    // 7 and the count have no common factor, so every thing leads to another one.
    store.objects = (1...count).map {
      TestObject("Thing", $0, ["amount": .integer($0 % 3)], links: ["next": [1 + $0 * 7 % count]])
    }
    let next = [
      "next":
        "FUNCTION($manager, 'destinationInstancesForSourceRelationshipNamed:sourceInstances:', "
        + "'next', $source.next)"
    ]
    let amount = "$source.amount"
    try self.init(
      store,
      to: model,
      ["--mapping", "given.json"],
      by: [
        .of("Thing", "Thing", named: "Kept", where: "amount > 0", ["amount": amount], next),
        .of(
          "Thing",
          "Thing",
          named: "More",
          where: "amount == 0",
          ["amount": amount + " + 1"],
          next
        ),
      ]
    )
  }

  /// A migration of a store, by words of `plan` that may name `given.json`.
  private convenience init(
    _ store: TestStore,
    to model: ManagedObjectModel,
    _ options: [String],
    by mappings: [EntityMapping],
    batchRows: Int? = 100
  ) throws {
    try self.init(store.model, model, options, batchRows: batchRows) { program in
      _ = try store.write(to: program.directory.path("Source.sqlite"))
      try program.write(MappingModel(entityMappings: mappings).json, to: "given.json")
    }
  }
}

extension ManagedObjectModel {
  fileprivate static func places(_ more: AttributeDescription...) throws -> Self {
    let names = ["latitude", "longitude"]
    var location = AttributeDescription("location", .undefined)
    (location.isTransient, location.isOptional) = (true, true)
    location.locationComponents = names
    let folded = try ValueExpression(format: "uppercase:(name)")
    var place = EntityDescription(
      "Place",
      [.optional("name"), location, .derived("folded", .string, folded)]
        + names.map { .optional($0, .double) } + more,
      [.toOne("folder", "Folder.places")]
    )
    place.indexes = [
      FetchIndexDescription("byPlace", elements: names.map { .init(.property($0), kind: .rTree) })
    ]
    let count = try ValueExpression(format: "places.@count")
    return try .of(
      place,
      .init("Folder", [.derived("count", .integer64, count)], [.toMany("places", "Place.folder")])
    )
  }
}
