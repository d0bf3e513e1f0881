import BulkTestSupport
import Testing

struct IndexTests {
  private func statements(_ entities: [EntityDescription]) throws -> [String] {
    StoreSchema(try ManagedObjectModel(entities: entities)).indexes.map(\.sql)
  }

  private func entity(_ indexes: FetchIndexDescription...) -> EntityDescription {
    var result = EntityDescription(
      "Note",
      [
        .optional("title"), .optional("size", .integer32),
        .optional("rating", .double), .optional("draft").transient,
      ],
      [.toOne("folder", "Folder.notes")]
    )
    result.indexes = indexes
    return result
  }

  private let folder = EntityDescription("Folder", [], [.toMany("notes", "Note.folder")])

  private func own(_ index: FetchIndexDescription) throws -> [String] {
    Array(try statements([folder, entity(index)]).dropFirst())
  }

  // Source: formats/store.md 7.1.
  // formats/migration.md 4.10
  @Test func `foreign keys and hidden keys are indexed, their companions are not`() throws {
    let entities = [
      EntityDescription("Album", [], [.toMany("stickers", "Sticker", isOrdered: true)]),
      EntityDescription("Sticker", [], [.toOne("page", "Page")]),
      EntityDescription("Page"), EntityDescription("SubPage", under: "Page"),
    ]
    #expect(
      try statements(entities) == [
        "CREATE INDEX ZPAGE_Z_ENT_INDEX ON ZPAGE (Z_ENT)",
        "CREATE INDEX ZSTICKER_ZPAGE_INDEX ON ZSTICKER (ZPAGE)",
        "CREATE INDEX ZSTICKER_Z1STICKERS_INDEX ON ZSTICKER (Z1STICKERS)",
      ]
    )
  }

  // formats/store.md 7.3; a store of Photos has the value YES.
  @Test(arguments: ["YES": false, "yes": false, "1": false, "NO": true, "": true])
  func `a root may leave out the index over entity numbers`(value: String, isMade: Bool) throws {
    var page = EntityDescription("Page")
    page.userInfo["_NSEntityOmitSubentityColumnIndex"] = value
    let made = isMade ? ["CREATE INDEX ZPAGE_Z_ENT_INDEX ON ZPAGE (Z_ENT)"] : []
    #expect(try statements([page, EntityDescription("SubPage", under: "Page")]) == made)
  }

  // formats/store.md 7.2; no store shows the form of these indexes.
  @Test func `places have an index where the user info of the relationship says so`() throws {
    var stickers = RelationshipDescription.toMany("stickers", "Sticker", isOrdered: true)
    var pages = RelationshipDescription.toMany("pages", "Page.album", isOrdered: true)
    var tags = RelationshipDescription.toMany("tags", "Tag.albums", isOrdered: true)
    stickers.userInfo["NSRelationshipDescriptionOrderKeyIndexOption"] = ""
    pages.userInfo["NSRelationshipDescriptionOrderKeyIndexOption"] = "YES"
    tags.userInfo["NSRelationshipDescriptionOrderKeyIndexOption"] = "1"
    let entities = [
      EntityDescription("Album", [], [stickers, pages, tags]),
      EntityDescription("Page", [], [.toOne("album", "Album.pages")]),
      EntityDescription("Sticker"),
      EntityDescription("Tag", [], [.toMany("albums", "Album.tags")]),
    ]
    #expect(
      try statements(entities) == [
        "CREATE INDEX Z_1TAGS_Z_4TAGS_INDEX ON Z_1TAGS (Z_4TAGS, Z_1ALBUMS)",
        "CREATE INDEX Z_1TAGS_Z_FOK_4TAGS_INDEX ON Z_1TAGS (Z_FOK_4TAGS)",
        "CREATE INDEX ZPAGE_ZALBUM_INDEX ON ZPAGE (ZALBUM)",
        "CREATE INDEX ZPAGE_Z_FOK_ALBUM_INDEX ON ZPAGE (Z_FOK_ALBUM)",
        "CREATE INDEX ZSTICKER_Z1STICKERS_INDEX ON ZSTICKER (Z1STICKERS)",
        "CREATE INDEX ZSTICKER_Z_FOK_1STICKERS_INDEX ON ZSTICKER (Z_FOK_1STICKERS)",
      ]
    )
  }

  // Source: formats/store.md 1.6, the order of indexes inside a root.
  @Test func `the indexes of a table come in Core Data's order`() throws {
    let entities = [
      EntityDescription(
        "Base",
        [.optional("name")],
        [.toOne("tag", "Tag"), .toMany("tags", "Tag.bases")],
        unique: [["name"]]
      )
      .indexed(FetchIndexDescription("byName", elements: [.init(.property("name"))])),
      EntityDescription(
        "Derived",
        under: "Base",
        [],
        [.toOne("other", "Tag"), .toMany("marks", "Tag.derived")]
      ),
      EntityDescription(
        "Tag",
        [],
        [.toMany("bases", "Base.tags"), .toMany("derived", "Derived.marks")]
      ),
    ]
    #expect(
      try statements(entities) == [
        "CREATE INDEX ZBASE_ZTAG_INDEX ON ZBASE (ZTAG)",
        "CREATE INDEX ZBASE_ZOTHER_INDEX ON ZBASE (ZOTHER)",
        "CREATE INDEX Z_1TAGS_Z_3TAGS_INDEX ON Z_1TAGS (Z_3TAGS, Z_1BASES)",
        "CREATE INDEX ZBASE_Z_ENT_INDEX ON ZBASE (Z_ENT)",
        "CREATE INDEX Z_2MARKS_Z_3MARKS_INDEX ON Z_2MARKS (Z_3MARKS, Z_2DERIVED)",
        "CREATE INDEX Z_Base_byName ON ZBASE (ZNAME COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_Base_UNIQUE_name ON ZBASE (ZNAME COLLATE BINARY ASC)",
      ]
    )
  }

  // Source: formats/store.md 7.5.
  @Test func `a fetch index keeps the case of its names and the direction of its elements`() throws
  {
    let index = FetchIndexDescription(
      "bySizeAndTitle",
      elements: [
        .init(.property("size"), isAscending: false), .init(.property("title")),
        .init(.property("folder")),
      ]
    )
    #expect(
      try own(index) == [
        "CREATE INDEX Z_Note_bySizeAndTitle ON ZNOTE (ZSIZE COLLATE BINARY DESC, "
          + "ZTITLE COLLATE BINARY ASC, ZFOLDER COLLATE BINARY ASC)"
      ]
    )
  }

  @Test func `self and entity stand for the row's key and entity`() throws {
    let index = FetchIndexDescription(
      "odd",
      elements: [
        .init(.expression(.keyPath("entity", of: .evaluatedObject))),
        .init(.expression(.evaluatedObject), isAscending: false),
      ]
    )
    #expect(
      try own(index) == [
        "CREATE INDEX Z_Note_odd ON ZNOTE (Z_ENT COLLATE BINARY ASC, Z_PK COLLATE BINARY DESC)"
      ]
    )
  }

  @Test(
    arguments: [
      [.init(.property("folder"))],
      [.init(.property("draft"))],
      [.init(.property("title")), .init(.property("draft"))],
      [.init(.property("nothing"))],
      [.init(.property("size"), kind: .rTree)],
      [],
    ] as [[FetchIndexDescription.Element]]
  )
  func `an index that Core Data does not make is not made`(
    elements: [FetchIndexDescription.Element]
  ) throws {
    #expect(try own(FetchIndexDescription("x", elements: elements)) == [])
  }

  @Test(
    arguments: [
      ("size == 1", "ZSIZE = 1"),
      ("size != 1", "ZSIZE <> 1"),
      ("size > -5", "ZSIZE > -5"),
      ("size <= 7", "ZSIZE <= 7"),
      ("rating < 0.1", "ZRATING < 0.1"),
      ("title == nil", "ZTITLE IS NULL"),
      ("title != nil", "ZTITLE IS NOT NULL"),
      ("folder != nil", "ZFOLDER IS NOT NULL"),
      ("title == \"it's\"", "ZTITLE = 'it''s'"),
      ("size == 1 AND title != nil", "(ZSIZE = 1 AND ZTITLE IS NOT NULL)"),
      (
        "size == 1 OR (size > 7 AND title == nil)", "(ZSIZE = 1 OR (ZSIZE > 7 AND ZTITLE IS NULL))"
      ),
      // No store was seen to have these.
      ("nothing == 1", nil), ("size == 1 AND nothing == 2", nil), ("title BEGINSWITH 'a'", nil),
      ("TRUEPREDICATE", nil), ("ANY size == 1", nil), ("title ==[c] 'a'", nil),
      ("size > nil", nil), ("draft == nil", nil),
    ] as [(String, String?)]
  )
  func `the condition of a partial index is SQL, or there is none`(
    format: String,
    sql: String?
  ) throws {
    let index = FetchIndexDescription(
      "p",
      elements: [.init(.property("size"))],
      partialIndexPredicate: try ValuePredicate(format: format)
    )
    let made = sql.map { "CREATE INDEX Z_Note_p ON ZNOTE (ZSIZE COLLATE BINARY ASC) WHERE " + $0 }
    #expect(try own(index) == [made].compactMap(\.self))
  }

  @Test func `old-style settings give fetch indexes`() throws {
    var note = EntityDescription(
      "Note",
      [.optional("title"), .optional("size", .integer32), .optional("draft").transient]
    )
    for index in [0, 2] { note.attributes[index].isIndexed = true }
    note.compoundIndexes = [["title", "size"]]
    #expect(
      try statements([note]) == [
        "CREATE INDEX Z_Note_title ON ZNOTE (ZTITLE COLLATE BINARY ASC)",
        "CREATE INDEX Z_Note_title_size ON ZNOTE (ZTITLE COLLATE BINARY ASC, "
          + "ZSIZE COLLATE BINARY ASC)",
      ]
    )
  }

  @Test func `an index of an inherited property is over the column of its table`() throws {
    let sub = EntityDescription(
      "Letter",
      under: "Note",
      [.optional("size", .integer16)],
      unique: [["size", "title"]]
    )
    let note = EntityDescription("Note", [.optional("title")])
    #expect(
      try statements([
        note,
        sub.indexed(
          FetchIndexDescription(
            "both",
            elements: [.init(.property("title")), .init(.property("size"))]
          )
        ),
      ]) == [
        "CREATE INDEX ZNOTE_Z_ENT_INDEX ON ZNOTE (Z_ENT)",
        "CREATE INDEX Z_Letter_both ON ZNOTE (ZTITLE COLLATE BINARY ASC, ZSIZE COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_Letter_UNIQUE_size_title ON ZNOTE (ZSIZE COLLATE BINARY ASC, "
          + "ZTITLE COLLATE BINARY ASC)",
      ]
    )
  }

  @Test func `an index that is named twice is made once`() throws {
    let entities = [entity(), folder]
    var note = entities[0]
    let index = FetchIndexDescription("x", elements: [.init(.property("size"))])
    note.indexes = [index, index]
    #expect(try statements([note, folder]).count { $0.contains("Z_Note_x") } == 1)
  }
}
