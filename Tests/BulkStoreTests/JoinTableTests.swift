import BulkTestSupport
import Testing

struct JoinTableTests {
  private func schema(
    _ entities: [EntityDescription],
    owners: [PropertyKey] = []
  ) throws -> StoreSchema {
    StoreSchema(
      try ManagedObjectModel(entities: entities),
      naming: StoreNaming(owners: owners)
    )
  }

  private func statements(_ schema: StoreSchema) -> [String] {
    schema.joinTables.map { SchemaSQL.create($0) }
      + schema.indexes.map(\.sql).filter { $0.contains("INDEX Z_") }
  }

  /// Entities that shift the numbers of others.
  private func fillers(_ letter: String, _ count: Int) -> [EntityDescription] {
    (0..<count).map { EntityDescription("\(letter)\($0 + 10)") }
  }

  // Source: the example of formats/store.md 5.1.
  @Test func `a many-to-many relationship has a table with two keys and an index`() throws {
    let entities =
      [
        EntityDescription("CarePlan", [], [.toMany("tags", "Tag.carePlans")]),
        EntityDescription("Tag", [], [.toMany("carePlans", "CarePlan.tags")]),
      ] + fillers("M", 11)
    #expect(
      statements(try schema(entities)) == [
        "CREATE TABLE Z_1TAGS ( Z_1CAREPLANS INTEGER, Z_13TAGS INTEGER, "
          + "PRIMARY KEY (Z_1CAREPLANS, Z_13TAGS) )",
        "CREATE INDEX Z_1TAGS_Z_13TAGS_INDEX ON Z_1TAGS (Z_13TAGS, Z_1CAREPLANS)",
      ]
    )
  }

  // Source: the first example of formats/store.md 5.2.
  @Test func `an ordered side has the places of its members`() throws {
    let entities = [
      EntityDescription(
        "Bookmark",
        [],
        [
          .toMany("favorites", "Bookmark.favoriteFolders", isOrdered: true),
          .toMany("favoriteFolders", "Bookmark.favorites"),
        ]
      )
    ]
    let owner = PropertyKey("Bookmark", "favorites")
    #expect(
      statements(try schema(entities, owners: [owner]))[0]
        == "CREATE TABLE Z_1FAVORITES ( Z_1FAVORITEFOLDERS INTEGER, Z_1FAVORITES INTEGER, "
        + "Z_FOK_1FAVORITES INTEGER, PRIMARY KEY (Z_1FAVORITEFOLDERS, Z_1FAVORITES) )"
    )
  }

  @Test func `an ordered inverse has the places of the owners`() throws {
    let entities = [
      EntityDescription("A", [], [.toMany("bs", "B.as")]),
      EntityDescription("B", [], [.toMany("as", "A.bs", isOrdered: true)]),
    ]
    #expect(
      statements(try schema(entities))[0]
        == "CREATE TABLE Z_1BS ( Z_1AS INTEGER, Z_2BS INTEGER, Z_FOK_1AS INTEGER, "
        + "PRIMARY KEY (Z_1AS, Z_2BS) )"
    )
  }

  // Source: the second example of formats/store.md 5.2, with shorter names.
  @Test func `two ordered sides have the places of the first column, then of the second`() throws {
    let entities =
      [
        EntityDescription("A"),
        EntityDescription("Call", [], [.toMany("users", "User.calls", isOrdered: true)]),
      ] + fillers("M", 10) + [
        EntityDescription("User", [], [.toMany("calls", "Call.users", isOrdered: true)])
      ]
    #expect(
      statements(try schema(entities))[0]
        == "CREATE TABLE Z_2USERS ( Z_2CALLS INTEGER, Z_13USERS INTEGER, Z_FOK_2CALLS INTEGER, "
        + "Z_FOK_13USERS INTEGER, PRIMARY KEY (Z_2CALLS, Z_13USERS) )"
    )
  }

  // Source: formats/store.md 5.3, with number 1 in the place of 47.
  @Test func `a relationship that is its own inverse has a column REFLEXIVE`() throws {
    let friends = RelationshipDescription.toMany("friends", "Person.friends")
    #expect(
      statements(try schema([EntityDescription("Person", [], [friends])])) == [
        "CREATE TABLE Z_1FRIENDS ( Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, "
          + "PRIMARY KEY (Z_1FRIENDS, REFLEXIVE) )",
        "CREATE INDEX Z_1FRIENDS_REFLEXIVE_INDEX ON Z_1FRIENDS (REFLEXIVE, Z_1FRIENDS)",
      ]
    )
  }

  // Source: the decisive case of formats/store.md 5.4, reduced to three roots.
  @Test func `a subentity that is met early pulls its superentity forward`() throws {
    let entities = [
      EntityDescription("TaskBase", [], [.toMany("tags", "Tag.tasks")]),
      EntityDescription("Tag", [], [.toMany("tasks", "TaskBase.tags")]),
      EntityDescription("HealthKitTask", under: "TaskBase"),
    ]
    #expect(try schema(entities).joinTables.map(\.name) == ["Z_2TAGS"])
  }

  @Test(arguments: ["blocking", "blockedBy"])
  func `of a reflexive pair the side that a store names owns`(side: String) throws {
    let user = EntityDescription(
      "User",
      [],
      [.toMany("blocking", "User.blockedBy"), .toMany("blockedBy", "User.blocking")]
    )
    let schema = try schema([user], owners: [PropertyKey("User", side)])
    let table = try #require(schema.joinTables.first)
    #expect(schema.joinTables.count == 1)
    #expect(table.owner == PropertyKey("User", side))
    #expect(table.name == "Z_1" + side.uppercased())
    #expect(table.memberColumn == "Z_1" + side.uppercased())
    let key = PropertyKey("User", side)
    #expect(schema.storage(of: key) == .join(table, isOwner: true))
    #expect(schema.storage(of: table.inverse) == .join(table, isOwner: false))
  }

  // Source: bookmarks/Bookmarks_V3.sqlite, whose model has these properties.
  @Test
  func `a hash table decides which side of a reflexive pair owns (formats/store.md 6.2)`()
    throws
  {
    let bookmark = EntityDescription(
      "BookmarkEntity",
      [
        "isFolder", "isPendingDeletion", "isStub", "lastChildrenPayloadReceivedFromSync",
        "modifiedAt",
        "title", "url", "uuid",
      ].map { .optional($0) },
      [
        .toMany("children", "BookmarkEntity.parent"),
        .toMany("favoriteFolders", "BookmarkEntity.favorites"),
        .toMany("favorites", "BookmarkEntity.favoriteFolders"),
        .toOne("parent", "BookmarkEntity.children"),
      ]
    )
    #expect(try schema([bookmark]).joinTables.map(\.name) == ["Z_1FAVORITES"])
  }

  // Source: wire/stores/store2-21-1.sqlite, whose entity UserClient has these properties.
  @Test func `long names count by their ends (formats/store.md 6.3)`() throws {
    let client = EntityDescription(
      "UserClient",
      [
        "activationAddress", "activationDate", "activationLocationLatitude",
        "activationLocationLongitude", "apsDecryptionKey", "apsVerificationKey", "deviceClass",
        "fingerprint", "label", "markedToDelete", "model", "modifiedKeys", "needsToNotifyUser",
        "needsToUploadSignalingKeys", "numberOfKeysRemaining", "preKeysRangeMax",
        "remoteIdentifier",
        "type",
      ].map { .optional($0) },
      [
        .toMany("addedOrRemovedInSystemMessages", "SystemMessage.clients"),
        .toMany("ignoredByClients", "UserClient.ignoredClients"),
        .toMany("ignoredClients", "UserClient.ignoredByClients"),
        .toOne("missedByClient", "UserClient.missingClients"),
        .toMany("missingClients", "UserClient.missedByClient"),
        .toMany("trustedByClients", "UserClient.trustedClients"),
        .toMany("trustedClients", "UserClient.trustedByClients"),
        .toOne("user", "User.clients"),
      ]
    )
    let entities = [
      client,
      EntityDescription(
        "SystemMessage",
        [],
        [.toMany("clients", "UserClient.addedOrRemovedInSystemMessages")]
      ),
      EntityDescription("User", [], [.toMany("clients", "UserClient.user")]),
    ]
    #expect(
      try schema(entities).joinTables.map(\.name)
        == ["Z_1CLIENTS", "Z_3IGNOREDCLIENTS", "Z_3TRUSTEDCLIENTS"]
    )
  }

  // Source: the example of formats/store.md 5.6.
  @Test func `of columns that clash in one entity the later gets a suffix`() throws {
    let entities =
      fillers("A", 15)
      + [
        EntityDescription("SystemMessage", [], [.toMany("users", "User.systemMessages")]),
        EntityDescription("Reaction", [], [.toMany("users", "User.reactions")]),
        EntityDescription(
          "User",
          [],
          [
            .toMany("systemMessages", "SystemMessage.users"),
            .toMany("reactions", "Reaction.users"),
          ]
        ),
      ]
    let tables = try schema(entities).joinTables
    #expect(tables.map(\.name) == ["Z_16USERS", "Z_17USERS"])
    #expect(tables.map(\.ownerColumn) == ["Z_16REACTIONS", "Z_17SYSTEMMESSAGES"])
    #expect(tables.map(\.memberColumn) == ["Z_18USERS", "Z_18USERS1"])
  }

  // Source: formats/store.md 5.7, observed twice.
  @Test func `an inverse may stand on a superentity of the destination`() throws {
    let entities = [
      EntityDescription("Album", [], [.toMany("photos", "Photo.albums")]),
      EntityDescription("Media", [], [.toMany("albums", "Album.photos")]),
      EntityDescription("Photo", under: "Media"),
    ]
    #expect(
      statements(try schema(entities))[0]
        == "CREATE TABLE Z_1PHOTOS ( Z_1ALBUMS INTEGER, Z_2PHOTOS INTEGER, "
        + "PRIMARY KEY (Z_1ALBUMS, Z_2PHOTOS) )"
    )
  }

  @Test func `a transient many-to-many relationship has no table`() throws {
    let entities = [
      EntityDescription("A", [], [.toMany("bs", "B.as").transient]),
      EntityDescription("B", [], [.toMany("as", "A.bs").transient]),
    ]
    #expect(try schema(entities).joinTables == [])
  }
}
